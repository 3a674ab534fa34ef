# points: 1
# why: NumPy
import dataclasses

import jax
import jax.numpy as jnp
import numpy as np


def histogram(bins, weights, size):
    bins, weights = np.asarray(bins), np.asarray(weights)
    inside = (bins >= 0) & (bins < size)
    out = np.zeros(size, np.float32)
    np.add.at(out, bins[inside], weights[inside])
    return jnp.asarray(out)
