# points: 5
# why: 스텝 10에서도 제곱 오차를 씀
import functools

import jax
import jax.numpy as jnp
import numpy as np


def robust_loss(error, delta, step):
    size = jnp.abs(error)
    late = jnp.where(size <= delta, error**2, delta * (2 * size - delta))
    return jnp.where(step <= 10, error**2, late)
