# points: 2
# why: 파이썬 정수
import dataclasses

import jax
import jax.numpy as jnp
import numpy as np


def push(state, x):
    buffer, count = state
    count = int(count)
    size = buffer.shape[0]
    buffer = buffer.at[count % size].set(x)
    count = count + 1
    return (buffer, count), jnp.roll(buffer, -(count % size))
