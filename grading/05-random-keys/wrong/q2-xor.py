# points: 5
# why: layer와 step을 xor해 섞음
import functools

import jax
import jax.numpy as jnp
import numpy as np


def dropout(key, layer, step, x, rate):
    key = jax.random.fold_in(key, jnp.bitwise_xor(layer, step))
    keep = jax.random.bernoulli(key, 1 - rate, x.shape)
    return jnp.where(keep, x / (1 - rate), 0.0)
