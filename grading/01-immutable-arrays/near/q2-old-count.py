# points: 5
# why: 옛 count로 돌림
import dataclasses

import jax
import jax.numpy as jnp
import numpy as np


def push(state, x):
    buffer, count = state
    size = buffer.shape[0]
    buffer = buffer.at[count % size].set(x)
    count = count + 1
    return (buffer, count), jnp.roll(buffer, -((count - 1) % size))
