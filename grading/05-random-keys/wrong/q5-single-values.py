# points: 5
# why: 원소를 따로 뽑음
import functools

import jax
import jax.numpy as jnp
import numpy as np


def bootstrap(key, statistic, x, draws):
    def one(key):
        rows = jax.random.randint(key, (len(x),), 0, len(x))
        return statistic(jax.random.choice(key, x.ravel(), x.shape))

    return jax.vmap(one)(jax.random.split(key, draws))
