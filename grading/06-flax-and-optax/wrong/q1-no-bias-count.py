# points: 0
# why: bias를 세지 않음
import jax
import jax.numpy as jnp
import numpy as np


def make_mlp(key, sizes):
    keys = jax.random.split(key, len(sizes) - 1)
    params = [
        {"kernel": jax.random.normal(k, (n, m)) * np.sqrt(2 / n), "bias": jnp.zeros(m)}
        for k, n, m in zip(keys, sizes, sizes[1:])
    ]

    def apply(params, x):
        *hidden, last = params
        for layer in hidden:
            x = jax.nn.relu(x @ layer["kernel"] + layer["bias"])
        return x @ last["kernel"] + last["bias"]

    return params, apply, sum(layer["kernel"].size for layer in params)
