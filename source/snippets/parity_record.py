def as_numpy(value):
    """PyTorch나 JAX의 값을 NumPy로. bool과 bfloat16은 float32로 넓힙니다."""
    if isinstance(value, torch.Tensor):
        value = value.detach().cpu()
        value = value.float() if value.dtype == torch.bfloat16 else value
    value = np.asarray(value)
    return value.astype(np.float32) if value.dtype in (bool, jnp.bfloat16) else value


def all_arrays(value):
    """겹친 튜플, 리스트, 딕셔너리에 든 배열을 차례로."""
    if isinstance(value, dict):
        value = [value[name] for name in sorted(value)]
    if isinstance(value, tuple | list):
        return [leaf for part in value for leaf in all_arrays(part)]
    return [] if value is None else [as_numpy(value)]
