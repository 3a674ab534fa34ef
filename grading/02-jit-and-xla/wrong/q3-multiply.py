# points: 5
# why: 마스크를 곱해 가려진 NaN이 기울기에 번짐
import functools

import jax
import jax.numpy as jnp
import numpy as np


def masked_stats(x, mask):
    count = jnp.maximum(mask.sum(), 1)
    mean = (x * mask).sum() / count
    return mean, (mask * (x - mean) ** 2).sum() / count
