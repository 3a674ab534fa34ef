# points: 6
# why: layer * 31 + step으로 섞음
import functools

import jax
import jax.numpy as jnp
import numpy as np


def dropout(key, layer, step, x, rate):
    key = jax.random.fold_in(key, layer * 31 + step)
    keep = jax.random.bernoulli(key, 1 - rate, x.shape)
    return jnp.where(keep, x / (1 - rate), 0.0)
