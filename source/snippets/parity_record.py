def first(value):
    """튜플이면 첫째 값을, 언제나 NumPy 배열로."""
    value = value[0] if isinstance(value, tuple) else value
    return np.asarray(value.detach() if isinstance(value, torch.Tensor) else value)


def record_torch(model, inputs, layers):
    """층마다 (입력, 출력)을 실행한 순서로 모읍니다."""
    seen, hooks = {}, []
    for name, layer in layers.items():

        def keep(_, x, y, name=name):
            seen.setdefault(name, (first(x), first(y)))

        hooks.append(layer.register_forward_hook(keep))
    with torch.no_grad():
        output = first(model(*inputs))
    for hook in hooks:
        hook.remove()
    return seen, output
