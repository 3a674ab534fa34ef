# points: 4
# why: 범위 밖을 끝 칸에 더함
import dataclasses

import jax
import jax.numpy as jnp
import numpy as np


def histogram(bins, weights, size):
    slot = jnp.zeros(size).at[jnp.clip(bins, 0, size - 1)]
    return slot.add(weights, mode="drop", wrap_negative_indices=False)
