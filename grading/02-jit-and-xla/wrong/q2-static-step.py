# points: 3
# why: 스텝을 정적 인자로 두어 트레이싱된 스텝을 받지 못함
import functools

import jax
import jax.numpy as jnp
import numpy as np


@functools.partial(jax.jit, static_argnames="step")
def robust_loss(error, delta, step):
    size = jnp.abs(error)
    if step < 10:
        return error**2
    return jnp.where(size <= delta, error**2, delta * (2 * size - delta))
