def converted(layer):
    """PyTorch 층 하나의 파라미터를 Flax의 이름과 배치로 바꿉니다."""
    p = {name: value.detach().numpy() for name, value in layer.state_dict().items()}
    kind, weight = type(layer).__name__, p.get("weight")
    if not p:  # affine=False인 정규화처럼 옮길 것이 없습니다
        return {}
    if kind == "MultiheadAttention":
        return converted_attention(p, layer.num_heads, layer.embed_dim)
    if kind.startswith("LSTM") and len(p) == 4:  # 한 층, 한 방향
        return converted_lstm(*p.values())
    if weight is None or not understood(kind, p):
        raise NotImplementedError(f"{kind}의 규칙이 없습니다. 여기에 더합니다")
    new = {"bias": p.get("bias")}
    if "Norm" in kind:
        stats = {"mean": p.get("running_mean"), "var": p.get("running_var")}
        new |= {"scale": weight} | stats
    elif kind == "Embedding":
        new["embedding"] = weight
    elif kind == "Conv1D":  # GPT-2의 층. 이미 (입력, 출력)입니다
        new["kernel"] = weight
    else:  # Linear와 Conv: (출력, 입력, …)을 (…, 입력, 출력)으로
        new["kernel"] = np.moveaxis(weight, (0, 1), (-1, -2))
    return {name: value for name, value in new.items() if value is not None}
