# points: 3
# why: 데우지 않아 한 번 잴 때 컴파일이 섞임
import time

import jax


def fastest_ms(function, x, repeats):
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        jax.block_until_ready(function(x))
        times.append(1000 * (time.perf_counter() - start))
    return min(times)
