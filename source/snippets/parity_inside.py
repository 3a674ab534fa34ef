def why_inside(layer, target):
    """입력은 같은데 출력이 다른 층: 파라미터를 먼저 보고, 같으면 설정을 봅니다."""
    if getattr(target, "use_running_average", None) is layer.training:
        return "BatchNorm의 학습·추론 모드가 다릅니다"
    cell = getattr(target, "cell", target)
    for path, right in converted(layer).items():
        now = as_numpy(find(cell, path)[...])
        if now.shape != right.shape or not np.allclose(now, right, atol=1e-6):
            return why_parameter(layer, path, now, right)
    if why := why_settings(layer, target):
        return why
    if isinstance(layer, torch.nn.modules.conv._ConvTransposeNd):
        return "transpose_kernel, padding(k-1-p), strides를 차례로 봅니다"
    if getattr(layer, "padding_mode", "zeros") != "zeros":
        return f"패딩의 종류가 다릅니다({layer.padding_mode})"
    if hasattr(layer, "stride") and not isinstance(layer.padding, str):
        wanted = [(p, p) for p in layer.padding]
        pairs = paddings(target.padding, target.strides, layer.kernel_size)
        if pairs != wanted:
            return f"padding이 다릅니다({layer.padding}, {target.padding})"
    if hasattr(layer, "num_heads"):
        return "어텐션의 마스크나 헤드 수가 다릅니다"
    return "층의 계산이 다릅니다"
