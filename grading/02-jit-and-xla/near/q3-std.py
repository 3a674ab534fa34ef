# points: 5
# why: 분산 대신 표준편차
import functools

import jax
import jax.numpy as jnp
import numpy as np


def masked_stats(x, mask):
    count = jnp.maximum(mask.sum(), 1)
    clean = jnp.where(mask, x, 0.0)
    mean = clean.sum() / count
    deviation = jnp.where(mask, clean - mean, 0.0)
    return mean, jnp.sqrt((deviation**2).sum() / count + 1e-12)
