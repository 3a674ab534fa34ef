# points: 5
# why: 고른 것이 없으면 0을 0으로 나눔
import functools

import jax
import jax.numpy as jnp
import numpy as np


def masked_stats(x, mask):
    clean = jnp.where(mask, x, 0.0)
    mean = clean.sum() / mask.sum()
    return mean, (jnp.where(mask, clean - mean, 0.0) ** 2).sum() / mask.sum()
