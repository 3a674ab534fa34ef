def find(model, path):
    """'net.layers.0'처럼 점으로 이은 이름이 가리키는 것."""
    for name in path.split("."):
        model = model[int(name)] if name.isdigit() else getattr(model, name)
    return model


def layers_of(torch_model, names):
    """파라미터를 직접 품은 PyTorch 층과 그 이름. None으로 적은 층은 뺍니다."""
    inside = "\n"
    for name, layer in torch_model.named_modules():
        if layer._parameters and not name.startswith(inside):
            if isinstance(layer, torch.nn.MultiheadAttention):  # out_proj까지 한 층
                inside = name + "."
            if names.get(name, name) is not None:
                yield name, layer
