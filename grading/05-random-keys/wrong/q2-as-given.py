# points: 2
# why: 전역 난수로 뽑음
import functools

import jax
import jax.numpy as jnp
import numpy as np


def dropout(key, layer, step, x, rate):
    keep = np.random.rand(*x.shape) >= rate
    return jnp.where(keep, x / (1 - rate), 0.0)
