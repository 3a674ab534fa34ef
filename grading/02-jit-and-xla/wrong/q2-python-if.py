# points: 3
# why: 스텝으로 if를 갈라 jit에서 멈춤
import functools

import jax
import jax.numpy as jnp
import numpy as np


def robust_loss(error, delta, step):
    if step < 10:
        return error**2
    size = jnp.abs(error)
    return jnp.where(size <= delta, error**2, delta * (2 * size - delta))
