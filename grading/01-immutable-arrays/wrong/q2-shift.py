# points: 4
# why: 미는 버퍼
import dataclasses

import jax
import jax.numpy as jnp
import numpy as np


def push(state, x):
    buffer, count = state
    buffer = jnp.roll(buffer, -1).at[-1].set(x)
    return (buffer, count + 1), buffer
