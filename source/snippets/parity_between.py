def why_between(ours, theirs, before):
    """층과 층 사이의 계산이 다른 까닭. before는 앞에서 나온 PyTorch 값들입니다."""
    if near(*(np.sort(value.reshape(len(value), -1)) for value in (ours, theirs))):
        return "값은 같고 순서가 다릅니다(펼치는 순서나 이어 붙이는 순서)"
    ours = aligned(ours, theirs)
    if ours.shape != theirs.shape:
        return "shape이 다릅니다"
    zero = np.isclose(theirs, 0.0) | np.isclose(ours, 0.0)
    ratios = theirs[~zero] / ours[~zero]
    if ratios.size and np.ptp(ratios) < 1e-3 < abs(ratios[0] - 1):
        dropped = not np.allclose(ours[zero], 0.0)
        return "Dropout이 켜져 있습니다" if dropped else "곱하는 배율이 다릅니다"
    for value in reversed(before):
        value = aligned(value, ours)
        if value.shape == ours.shape and near(theirs + value, ours):
            return "잔차를 더하지 않았습니다"
        found = [activation(value, result) for result in (ours, theirs)]
        if all(found):
            return f"활성화 함수가 다릅니다({found[0]}, {found[1]})"
    return "풀링처럼 층 사이에 있는 계산을 봅니다"
