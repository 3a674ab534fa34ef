def understood(layer, known):
    """층의 파라미터를 빠짐없이 옮길 수 없으면 반만 옮기지 않습니다."""
    if not known:
        kind = type(layer).__name__
        raise NotImplementedError(f"{kind}의 규칙이 없습니다. converted에 더합니다")


def converted_attention(p, layer):
    """쌓인 q, k, v를 나누고 헤드 축을 만듭니다."""
    biases = {"in_proj_bias", "out_proj.bias"} & set(p)
    understood(layer, set(p) == {"in_proj_weight", "out_proj.weight"} | biases)
    heads, width = layer.num_heads, layer.embed_dim
    new = {"out.kernel": p["out_proj.weight"].T.reshape(heads, -1, width)}
    if biases:
        new["out.bias"] = p["out_proj.bias"]
    for i, name in enumerate(("query", "key", "value")):
        kernel = np.split(p["in_proj_weight"], 3)[i]
        new[f"{name}.kernel"] = kernel.T.reshape(width, heads, -1)
        if biases:
            new[f"{name}.bias"] = np.split(p["in_proj_bias"], 3)[i].reshape(heads, -1)
    return new
