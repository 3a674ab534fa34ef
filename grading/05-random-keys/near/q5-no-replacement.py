# points: 6
# why: 복원하지 않고 뽑음
import functools

import jax
import jax.numpy as jnp
import numpy as np


def bootstrap(key, statistic, x, draws):
    def one(key):
        rows = jax.random.permutation(key, len(x))
        return statistic(x[rows])

    return jax.vmap(one)(jax.random.split(key, draws))
