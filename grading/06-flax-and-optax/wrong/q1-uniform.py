# points: 3
# why: 정규 분포 대신 분산이 같은 균등 분포
import jax
import jax.numpy as jnp
import numpy as np


def make_mlp(key, sizes):
    keys = jax.random.split(key, len(sizes) - 1)
    params = [
        {"kernel": jax.random.uniform(k, (n, m), minval=-1) * np.sqrt(6 / n), "bias": jnp.zeros(m)}
        for k, n, m in zip(keys, sizes, sizes[1:])
    ]

    def apply(params, x):
        *hidden, last = params
        for layer in hidden:
            x = jax.nn.relu(x @ layer["kernel"] + layer["bias"])
        return x @ last["kernel"] + last["bias"]

    return params, apply, sum(leaf.size for leaf in jax.tree.leaves(params))
