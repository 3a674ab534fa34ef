ACTIVATIONS = {
    "그대로": lambda value: value,
    "relu": jax.nn.relu,
    "silu": jax.nn.silu,
    "tanh": jnp.tanh,
    "gelu의 erf": lambda value: jax.nn.gelu(value, approximate=False),
    "gelu의 tanh 근사": lambda value: jax.nn.gelu(value, approximate=True),
}


def activation(value, result):
    """value에 씌우면 result가 되는 함수의 이름. 없으면 None."""
    if not np.issubdtype(value.dtype, np.floating):  # 토큰의 번호
        return None
    for name, function in ACTIVATIONS.items():
        if near(np.asarray(function(value)), result):
            return name
    return None
