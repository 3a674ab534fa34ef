# points: 4
# why: 원소마다가 아니라 행마다 뽑음
import functools

import jax
import jax.numpy as jnp
import numpy as np


def dropout(key, layer, step, x, rate):
    key = jax.random.fold_in(jax.random.fold_in(key, layer), step)
    keep = jax.random.bernoulli(key, 1 - rate, x.shape[:1] + (1,) * (x.ndim - 1))
    return jnp.where(keep, x / (1 - rate), 0.0)
