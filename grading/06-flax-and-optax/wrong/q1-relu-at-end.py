# points: 3
# why: 마지막 층 뒤에도 ReLU
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
        return jax.nn.relu(x @ last["kernel"] + last["bias"])

    return params, apply, sum(leaf.size for leaf in jax.tree.leaves(params))
