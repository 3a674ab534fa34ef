# points: 4
# why: 칸 번호에서 나머지를 빠뜨림
import dataclasses

import jax
import jax.numpy as jnp
import numpy as np


def push(state, x):
    buffer, count = state
    size = buffer.shape[0]
    buffer = buffer.at[count].set(x)
    count = count + 1
    return (buffer, count), jnp.roll(buffer, -(count % size))
