# points: 1
# why: 불리언 인덱스가 남아 jit에서 멈추고, 고른 것이 없으면 NaN
import functools

import jax
import jax.numpy as jnp
import numpy as np


def masked_stats(x, mask):
    kept = x[mask]
    return kept.mean(), kept.var()
