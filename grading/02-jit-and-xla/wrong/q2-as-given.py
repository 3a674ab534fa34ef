# points: 1
# why: 적힌 코드 그대로
import functools

import jax
import jax.numpy as jnp
import numpy as np


def robust_loss(error, delta, step):
    if step < 10:
        return error**2
    if abs(error) <= delta:
        return error**2
    return delta * (2 * abs(error) - delta)
