def understood(kind, p):
    """아래 규칙이 그 층의 파라미터를 빠짐없이 옮기는지. 아니면 반만 옮기지 않습니다."""
    known = ("Linear", "1d", "2d", "3d", "1D", "Norm", "Embedding")
    states = {"weight", "bias", "running_mean", "running_var", "num_batches_tracked"}
    return kind.endswith(known) and set(p) <= states


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
