# points: 3
# why: count가 실수
import dataclasses

import jax
import jax.numpy as jnp
import numpy as np


def push(state, x):
    buffer, count = state
    size = buffer.shape[0]
    buffer = buffer.at[count % size].set(x)
    count = count + 1.0
    return (buffer, count), jnp.roll(buffer, -(count % size))
