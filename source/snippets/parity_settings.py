def why_settings(layer, target):
    """한 번의 추론에는 드러나지 않아도, 다르면 나중에 어긋나는 설정. 없으면 None."""
    eps, epsilon = getattr(layer, "eps", None), getattr(target, "epsilon", None)
    if None not in (eps, epsilon) and not np.isclose(eps, epsilon, rtol=1e-3):
        return f"eps가 다릅니다({eps:g}, {epsilon:g})"
    new, kept = getattr(layer, "momentum", None), getattr(target, "momentum", None)
    if None not in (new, kept) and not np.isclose(1 - new, kept):
        return f"momentum이 다릅니다(Flax에는 {1 - new:g}가 와야 하는데 {kept:g})"
    no_bias = hasattr(layer, "bias") and layer.bias is None
    if no_bias and "bias" in nnx.state(target, nnx.Param):
        return "PyTorch에는 없는 bias가 Flax에 있습니다"
    if hasattr(layer, "dilation"):
        ours, theirs = layer.dilation, target.kernel_dilation
        if not np.array_equal(ours, np.broadcast_to(theirs, len(ours))):
            return f"dilation이 다릅니다({ours}, {theirs})"
    return None
