# points: 3
# why: float32 배열의 min
import re
import time

import jax
import jax.numpy as jnp
import numpy as np

jax.config.update("jax_num_cpu_devices", 8)


def fastest_ms(function, x, repeats):
    jax.block_until_ready(function(x))
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        jax.block_until_ready(function(x))
        times.append(1000 * (time.perf_counter() - start))
    return np.array(times, np.float32).min()
