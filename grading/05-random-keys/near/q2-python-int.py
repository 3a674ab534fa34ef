# points: 5
# why: step을 파이썬 정수로 바꿈
import functools

import jax
import jax.numpy as jnp
import numpy as np


def dropout(key, layer, step, x, rate):
    layer, step = int(layer), int(step)
    key = jax.random.fold_in(jax.random.fold_in(key, layer), step)
    keep = jax.random.bernoulli(key, 1 - rate, x.shape)
    return jnp.where(keep, x / (1 - rate), 0.0)
