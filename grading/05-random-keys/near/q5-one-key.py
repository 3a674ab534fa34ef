# points: 5
# why: 모든 뽑기가 같은 키
import functools

import jax
import jax.numpy as jnp
import numpy as np


def bootstrap(key, statistic, x, draws):
    def one(key):
        rows = jax.random.randint(key, (len(x),), 0, len(x))
        return statistic(x[rows])

    return jax.vmap(lambda _: one(key))(jnp.arange(draws))
