# points: 4
# why: 결과를 받지 않음
import dataclasses

import jax
import jax.numpy as jnp
import numpy as np


def push(state, x):
    buffer, count = state
    size = buffer.shape[0]
    buffer.at[count % size].set(x)
    count = count + 1
    return (buffer, count), jnp.roll(buffer, -(count % size))
