# points: 3
# why: 배열 하나에만 있는 메서드로 기다림
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
        function(x).block_until_ready()
        times.append(1000 * (time.perf_counter() - start))
    return min(times)
