# points: 4
# why: 뽑기의 축을 끝에 둠
import functools

import jax
import jax.numpy as jnp
import numpy as np


def bootstrap(key, statistic, x, draws):
    def one(key):
        rows = jax.random.randint(key, (len(x),), 0, len(x))
        return statistic(x[rows])

    return jax.vmap(one, out_axes=-1)(jax.random.split(key, draws))
