CHANNELS_FIRST = (  # NCHW로 받는 층. Flax에서는 NHWC로 받습니다
    torch.nn.modules.conv._ConvNd,
    torch.nn.modules.batchnorm._NormBase,
    torch.nn.GroupNorm,
)


def compare_outputs(ours, theirs, turned, before, tolerance):
    """모델의 출력 가운데 가장 큰 차이와 그 까닭. 모두 같으면 까닭은 None입니다."""
    if len(ours) != len(theirs):
        return np.inf, f"출력의 개수가 다릅니다({len(ours)}, {len(theirs)})"
    if not ours or not all(a.size for a in ours):
        return np.inf, "비교할 값이 없는 출력입니다"
    # 축의 순서는 NCHW로 계산한 모델에서, 그 축 수의 출력에만 맞춥니다
    pairs = list(zip(ours, theirs, strict=True))
    gaps = [gap(a, b, a.ndim in turned) for a, b in pairs]
    worst = int(np.argmax(gaps))
    why = why_between(*pairs[worst], before) if gaps[worst] > tolerance else None
    return gaps[worst], why
