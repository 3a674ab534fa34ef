# points: 5
# why: 편차에서 가리는 것을 잊음
import functools

import jax
import jax.numpy as jnp
import numpy as np


def masked_stats(x, mask):
    count = jnp.maximum(mask.sum(), 1)
    clean = jnp.where(mask, x, 0.0)
    mean = clean.sum() / count
    deviation = clean - mean
    return mean, (deviation**2).sum() / count
