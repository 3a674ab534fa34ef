# points: 5
# why: 분산을 n-1로 나눔
import functools

import jax
import jax.numpy as jnp
import numpy as np


def masked_stats(x, mask):
    count = jnp.maximum(mask.sum(), 1)
    clean = jnp.where(mask, x, 0.0)
    mean = clean.sum() / count
    deviation = jnp.where(mask, clean - mean, 0.0)
    return mean, (deviation**2).sum() / jnp.maximum(count - 1, 1)
