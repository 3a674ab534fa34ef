def port(torch_model, flax_model, names):
    """파라미터를 규칙대로 옮깁니다. names는 이름이 다른 층의 짝입니다."""
    for name, layer in layers_of(torch_model, names):
        new = converted(layer)
        target = find(flax_model, names.get(name, name))
        for path, value in new.items():
            variable = find(getattr(target, "cell", target), path)
            shapes = f"{name}.{path}: {value.shape}와 {variable.shape}"
            assert variable.shape == value.shape, shapes
            # 복사합니다: 메모리를 함께 쓰면 PyTorch가 학습할 때 이쪽도 바뀝니다
            variable[...] = jnp.array(value)
