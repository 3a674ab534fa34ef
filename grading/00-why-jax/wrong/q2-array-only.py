# points: 3
# why: 배열 하나만 기다릴 수 있음
import time


def fastest_ms(function, x, repeats):
    function(x).block_until_ready()
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        function(x).block_until_ready()
        times.append(1000 * (time.perf_counter() - start))
    return min(times)
