# points: 3
# why: ms가 아니라 초를 돌려줌
import time

import jax


def fastest_ms(function, x, repeats):
    jax.block_until_ready(function(x))
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        jax.block_until_ready(function(x))
        times.append(time.perf_counter() - start)
    return min(times)
