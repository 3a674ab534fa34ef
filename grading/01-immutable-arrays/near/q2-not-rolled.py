# points: 5
# why: 창을 돌리지 않음
import dataclasses

import jax
import jax.numpy as jnp
import numpy as np


def push(state, x):
    buffer, count = state
    size = buffer.shape[0]
    buffer = buffer.at[count % size].set(x)
    count = count + 1
    return (buffer, count), buffer
