# points: 3
# why: 층마다 같은 키를 씀
import jax
import jax.numpy as jnp
import numpy as np


def make_mlp(key, sizes):
    keys = [key] * (len(sizes) - 1)
    params = [
        {"kernel": jax.random.normal(k, (n, m)) * np.sqrt(2 / n), "bias": jnp.zeros(m)}
        for k, n, m in zip(keys, sizes, sizes[1:])
    ]

    def apply(params, x):
        *hidden, last = params
        for layer in hidden:
            x = jax.nn.relu(x @ layer["kernel"] + layer["bias"])
        return x @ last["kernel"] + last["bias"]

    return params, apply, sum(leaf.size for leaf in jax.tree.leaves(params))
