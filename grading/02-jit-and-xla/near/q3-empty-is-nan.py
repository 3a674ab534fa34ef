# points: 5
# why: 고른 것이 없을 때를 막지 않음
import functools

import jax
import jax.numpy as jnp
import numpy as np


def masked_stats(x, mask):
    count = mask.sum()
    clean = jnp.where(mask, x, 0.0)
    mean = clean.sum() / count
    deviation = jnp.where(mask, clean - mean, 0.0)
    return mean, (deviation**2).sum() / count
