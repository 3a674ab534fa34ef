def why_parameter(layer, path, now, right):
    """파라미터 하나가 다른 까닭."""
    if path in ("mean", "var"):
        return "BatchNorm의 이동 통계를 옮기지 않았습니다"
    if isinstance(layer, torch.nn.LSTM | torch.nn.LSTMCell):
        biases = [as_numpy(p) for p in layer.parameters() if p.ndim == 1]
        parts = [part for bias in biases for part in np.split(bias, 4)]
        if any(np.array_equal(now, part) for part in parts):
            return "LSTM의 bias를 하나만 옮겼습니다"
        return "LSTM의 게이트 순서가 다릅니다"
    others = [v for name, v in converted(layer).items() if name != path]
    if any(v.shape == now.shape and np.array_equal(v, now) for v in others):
        return "q, k, v의 순서가 다릅니다"
    for axes in itertools.permutations(range(right.ndim)):
        moved = right.transpose(axes)
        if moved.shape == now.shape and np.allclose(moved, now):
            return f"{path}의 축 순서가 다릅니다(전치)"
    return f"{path} 파라미터를 옮기지 않았습니다"
