# points: 3
# why: 가장 빠른 값이 아니라 평균을 돌려줌
import time

import jax


def fastest_ms(function, x, repeats):
    jax.block_until_ready(function(x))
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        jax.block_until_ready(function(x))
        times.append(1000 * (time.perf_counter() - start))
    return sum(times) / repeats
