def record_torch(model, inputs, layers):
    """층마다 (입력, 출력)을 실행한 순서로 모읍니다. 둘째는 모델의 출력입니다."""
    seen, hooks = {}, []
    for name, layer in layers.items():

        def keep(_, x, options, y, name=name):
            x = all_arrays(x) or all_arrays(options)
            seen.setdefault(name, (x[0], all_arrays(y)[0]))

        hooks.append(layer.register_forward_hook(keep, with_kwargs=True))
    with torch.no_grad():
        output = all_arrays(model(*inputs))
    for hook in hooks:
        hook.remove()
    return seen, output
