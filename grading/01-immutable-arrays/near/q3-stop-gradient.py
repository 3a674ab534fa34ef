# points: 4
# why: 가중치의 기울기를 막음
import dataclasses

import jax
import jax.numpy as jnp
import numpy as np


def histogram(bins, weights, size):
    slot = jnp.zeros(size).at[bins]
    return slot.add(jax.lax.stop_gradient(weights), mode="drop", wrap_negative_indices=False)
