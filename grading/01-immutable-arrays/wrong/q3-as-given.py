# points: 1
# why: 불리언 마스크로 고름
import dataclasses

import jax
import jax.numpy as jnp
import numpy as np


def histogram(bins, weights, size):
    inside = (bins >= 0) & (bins < size)
    out = jnp.zeros(size)
    return out.at[bins[inside]].add(weights[inside])
