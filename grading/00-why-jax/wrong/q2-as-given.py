# points: 0
# why: 적힌 코드 그대로
import re
import time

import jax
import jax.numpy as jnp
import numpy as np

jax.config.update("jax_num_cpu_devices", 8)


def fastest_ms(function, x, repeats):
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        function(x)
        times.append(1000 * (time.perf_counter() - start))
    return sum(times) / repeats
