# points: 0
# why: 끝나기를 기다리지 않음
import time


def fastest_ms(function, x, repeats):
    function(x)
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        function(x)
        times.append(1000 * (time.perf_counter() - start))
    return min(times)
