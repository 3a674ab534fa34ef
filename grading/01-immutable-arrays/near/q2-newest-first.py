# points: 5
# why: 새것부터 늘어놓음
import dataclasses

import jax
import jax.numpy as jnp
import numpy as np


def push(state, x):
    buffer, count = state
    size = buffer.shape[0]
    buffer = buffer.at[count % size].set(x)
    count = count + 1
    return (buffer, count), jnp.roll(buffer, -(count % size))[::-1]
