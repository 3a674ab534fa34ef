def find(model, path):
    """'net.layers.0'처럼 점으로 이은 이름이 가리키는 것."""
    node = model
    for name in filter(None, path.split(".")):
        if name.isdigit():  # nnx.Sequential은 층을 layers에 둡니다
            rows = getattr(node, "layers", node)
            found = rows[int(name)] if int(name) < len(rows) else None
        else:
            found = getattr(node, name, None)
        if found is None:
            kind = type(node).__name__
            raise LookupError(f"Flax 모델에 없는 이름입니다: {path} ({kind}의 {name})")
        node = found
    return node


def layers_of(torch_model, names):
    """파라미터를 직접 품은 PyTorch 층과 그 이름. None으로 적은 층은 뺍니다."""
    inside = "\n"
    for name, layer in torch_model.named_modules():
        if layer._parameters and not name.startswith(inside):
            if isinstance(layer, torch.nn.MultiheadAttention):  # out_proj까지 한 층
                inside = name + "."
            if names.get(name, name) is not None:
                yield name, layer
