# points: 1
# why: 적힌 코드를 jnp로만 바꿈
import functools

import jax
import jax.numpy as jnp
import numpy as np


def masked_stats(x, mask):
    kept = x[mask]
    return kept.mean(), kept.var()
