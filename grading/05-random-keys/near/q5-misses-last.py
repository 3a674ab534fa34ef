# points: 7
# why: 마지막 행을 뽑지 않음
import functools

import jax
import jax.numpy as jnp
import numpy as np


def bootstrap(key, statistic, x, draws):
    def one(key):
        rows = jax.random.randint(key, (len(x),), 0, len(x) - 1)
        return statistic(x[rows])

    return jax.vmap(one)(jax.random.split(key, draws))
