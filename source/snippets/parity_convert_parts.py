def converted_attention(p, heads, width):
    """쌓인 q, k, v를 나누고 머리 축을 만듭니다."""
    new = {"out.kernel": p["out_proj.weight"].T.reshape(heads, -1, width)}
    new["out.bias"] = p["out_proj.bias"]
    kernels, biases = np.split(p["in_proj_weight"], 3), np.split(p["in_proj_bias"], 3)
    for i, name in enumerate(("query", "key", "value")):
        new[f"{name}.kernel"] = kernels[i].T.reshape(width, heads, -1)
        new[f"{name}.bias"] = biases[i].reshape(heads, -1)
    return new


def converted_lstm(*stacked):
    """쌓인 문 i, f, g, o를 나누고 bias 둘을 더합니다."""
    new = {}
    for i, gate in enumerate("ifgo"):
        wi, wh, bi, bh = (np.split(part, 4)[i] for part in stacked)
        new["if_.kernel" if gate == "f" else f"i{gate}.kernel"] = wi.T
        new |= {f"h{gate}.kernel": wh.T, f"h{gate}.bias": bi + bh}
    return new
