def paddings(padding, strides, kernel):
    """Flax의 padding을 축마다의 쌍으로. 'SAME'은 스트라이드가 1일 때만 정해집니다."""
    if padding == "SAME":
        single = np.all(np.array(strides) == 1)
        return [((k - 1) // 2, k // 2) for k in kernel if single]
    each = padding if isinstance(padding, list | tuple) else [padding] * len(kernel)
    return [tuple(np.broadcast_to(0 if p == "VALID" else p, 2).tolist()) for p in each]
