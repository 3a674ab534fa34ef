def port(torch_model, flax_model, names):
    """파라미터를 규칙대로 옮깁니다. names는 이름이 다른 층의 짝입니다."""
    for name, layer in layers_of(torch_model, names):
        root = names.get(name, name)
        root += ".cell" if hasattr(find(flax_model, root), "cell") else ""
        for path, value in converted(layer).items():
            variable = find(flax_model, f"{root}.{path}")
            shapes = f"{name}.{path}: {value.shape}와 {variable.shape}"
            assert variable.shape == value.shape, shapes
            # 복사합니다: 메모리를 함께 쓰면 PyTorch가 학습할 때 이쪽도 바뀝니다
            variable[...] = jnp.array(value, variable.dtype)
