def find(model, path):
    """'net.layers.0'처럼 점으로 이은 이름이 가리키는 것."""
    for name in path.split("."):
        model = model[int(name)] if name.isdigit() else getattr(model, name)
    return model


def layers_of(torch_model):
    """파라미터를 직접 품은 PyTorch 층과 그 이름."""
    inside = "\n"
    for name, layer in torch_model.named_modules():
        if layer._parameters and not name.startswith(inside):
            inside = name + "."
            yield name, layer


def port(torch_model, flax_model, names):
    """파라미터를 규칙대로 옮깁니다. names는 이름이 다른 층의 짝입니다."""
    for name, layer in layers_of(torch_model):
        target = find(flax_model, names.get(name, name))
        for path, value in converted(layer).items():
            variable = find(getattr(target, "cell", target), path)
            shapes = f"{name}.{path}: {value.shape}와 {variable.shape}"
            assert variable.shape == value.shape, shapes
            variable[...] = jnp.asarray(value)
