def converted_lstm(p, layer):
    """쌓인 게이트 i, f, g, o를 나누고 bias 둘을 더합니다. 한 층, 한 방향만 압니다."""
    stacked = ["weight_ih", "weight_hh", "bias_ih", "bias_hh"]
    p = {name.removesuffix("_l0"): value for name, value in p.items()}
    understood(layer, sorted(p) == sorted(stacked))
    new = {}
    for i, gate in enumerate("ifgo"):
        wi, wh, bi, bh = (np.split(p[name], 4)[i] for name in stacked)
        new["if_.kernel" if gate == "f" else f"i{gate}.kernel"] = wi.T
        new |= {f"h{gate}.kernel": wh.T, f"h{gate}.bias": bi + bh}
    return new
