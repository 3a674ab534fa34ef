# points: 4
# why: (분산, 평균)의 차례로 돌려줌
import functools

import jax
import jax.numpy as jnp
import numpy as np


def masked_stats(x, mask):
    count = jnp.maximum(mask.sum(), 1)
    clean = jnp.where(mask, x, 0.0)
    mean = clean.sum() / count
    deviation = jnp.where(mask, clean - mean, 0.0)
    return (deviation**2).sum() / count, mean
