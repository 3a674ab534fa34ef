# points: 5
# why: 겹친 번호를 하나만 남김
import dataclasses

import jax
import jax.numpy as jnp
import numpy as np


def histogram(bins, weights, size):
    slot = jnp.zeros(size).at[bins]
    return slot.set(weights, mode="drop", wrap_negative_indices=False)
