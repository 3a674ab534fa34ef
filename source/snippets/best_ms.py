def best_ms(function, *arguments, repeats=10):
    jax.block_until_ready(function(*arguments))  # 컴파일
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        jax.block_until_ready(function(*arguments))
        times.append(1000 * (time.perf_counter() - start))
    return min(times)
