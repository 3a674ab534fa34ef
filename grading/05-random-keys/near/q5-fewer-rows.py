# points: 4
# why: 절반만 뽑음
import functools

import jax
import jax.numpy as jnp
import numpy as np


def bootstrap(key, statistic, x, draws):
    def one(key):
        rows = jax.random.randint(key, (len(x) // 2,), 0, len(x))
        return statistic(x[rows])

    return jax.vmap(one)(jax.random.split(key, draws))
