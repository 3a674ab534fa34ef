def chain(x, length=50):
    for _ in range(length):
        x = x * 1.0001 + 0.0001
    return x
