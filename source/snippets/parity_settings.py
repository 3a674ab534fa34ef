def why_settings(layer, target):
    """한 번의 추론에는 드러나지 않아도, 다르면 나중에 어긋나는 설정. 없으면 None."""
    epsilon = getattr(target, "epsilon", None)
    if epsilon is not None and hasattr(layer, "eps"):
        eps = layer.eps or torch.finfo(torch.float32).eps  # RMSNorm의 기본값은 None
        if not np.isclose(eps, epsilon, rtol=1e-3):
            return f"eps가 다릅니다({eps:g}, {epsilon:g})"
    kept = getattr(target, "momentum", None)
    if kept is not None and hasattr(layer, "momentum"):
        if layer.momentum is None:
            return "momentum=None(지금까지의 평균)에 맞는 설정이 Flax에는 없습니다"
        if not np.isclose(1 - layer.momentum, kept):
            wanted = 1 - layer.momentum
            return f"momentum이 다릅니다(Flax에는 {wanted:g}가 와야 하는데 {kept:g})"
    for ours, theirs in (("weight", "scale"), ("bias", "bias")):
        without = hasattr(layer, ours) and getattr(layer, ours) is None
        if without and theirs in nnx.state(target, nnx.Param):
            return f"PyTorch에는 없는 파라미터가 Flax에 있습니다({theirs})"
    if hasattr(layer, "dilation"):
        ours, theirs = layer.dilation, getattr(target, "kernel_dilation", None) or 1
        if not np.array_equal(ours, np.broadcast_to(theirs, len(ours))):
            return f"dilation이 다릅니다({ours}, {theirs})"
    return None
