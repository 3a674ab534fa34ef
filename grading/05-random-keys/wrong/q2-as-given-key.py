# points: 2
# why: 키 하나로만 뽑음
import functools

import jax
import jax.numpy as jnp
import numpy as np


def dropout(key, layer, step, x, rate):
    keep = jax.random.uniform(key, x.shape) >= rate
    return jnp.where(keep, x / (1 - rate), 0.0)
