# points: 6
# why: 파이썬 for로 돎
import functools

import jax
import jax.numpy as jnp
import numpy as np


def bootstrap(key, statistic, x, draws):
    def one(key):
        rows = jax.random.randint(key, (len(x),), 0, len(x))
        return statistic(x[rows])

    return jnp.stack([one(k) for k in jax.random.split(key, draws)])
