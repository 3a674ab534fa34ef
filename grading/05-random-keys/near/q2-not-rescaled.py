# points: 7
# why: 1 - rate로 나누지 않음
import functools

import jax
import jax.numpy as jnp
import numpy as np


def dropout(key, layer, step, x, rate):
    key = jax.random.fold_in(jax.random.fold_in(key, layer), step)
    keep = jax.random.bernoulli(key, 1 - rate, x.shape)
    return jnp.where(keep, x, 0.0)
