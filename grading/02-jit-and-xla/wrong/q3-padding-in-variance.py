# points: 5
# why: 가려진 자리가 분산에 들어감
import functools

import jax
import jax.numpy as jnp
import numpy as np


def masked_stats(x, mask):
    count = jnp.maximum(mask.sum(), 1)
    clean = jnp.where(mask, x, 0.0)
    mean = clean.sum() / count
    return mean, ((clean - mean) ** 2).sum() / count
