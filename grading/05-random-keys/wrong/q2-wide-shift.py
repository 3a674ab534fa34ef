# points: 6
# why: layer를 16비트 밀어 섞음
import functools

import jax
import jax.numpy as jnp
import numpy as np


def dropout(key, layer, step, x, rate):
    key = jax.random.fold_in(key, jnp.uint32(layer) * jnp.uint32(65536) + jnp.uint32(step))
    keep = jax.random.bernoulli(key, 1 - rate, x.shape)
    return jnp.where(keep, x / (1 - rate), 0.0)
