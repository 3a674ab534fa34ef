# points: 0
# why: 클래스처럼 제자리에서 바꿈
import dataclasses

import jax
import jax.numpy as jnp
import numpy as np


def push(state, x):
    buffer, count = state
    buffer[count % len(buffer)] = x
    count += 1
    return (buffer, count), jnp.roll(buffer, -(count % len(buffer)))
