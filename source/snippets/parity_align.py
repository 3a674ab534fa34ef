def near(a, b):
    return a.shape == b.shape and np.allclose(a, b, rtol=1e-4, atol=1e-5)


def aligned(a, b):
    """a의 축을 b처럼(NCHW를 NHWC로). shape으로 알 수 없으면 b에 가까운 쪽입니다."""
    views = [a, np.moveaxis(a, 1, -1)] if a.ndim > 2 else [a]
    views = [view for view in views if view.shape == b.shape]
    return min(views, key=lambda view: np.abs(view - b).max(), default=a)


def gap(a, b, turn):
    """원소마다 차이를 1 + 크기로 나눈 것의 최댓값. turn이면 축의 순서를 맞춥니다."""
    a = aligned(a, b) if turn else a
    if a.shape != b.shape:
        return np.inf
    plain = np.isfinite(a) & np.isfinite(b)
    if not np.array_equal(a[~plain], b[~plain], equal_nan=True):  # NaN과 무한대
        return np.inf
    return float(np.max(np.abs(a - b)[plain] / (1 + np.abs(a[plain])), initial=0.0))
