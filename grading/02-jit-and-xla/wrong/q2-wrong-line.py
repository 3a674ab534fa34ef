# points: 4
# why: 직선 부분의 식이 다름
import functools

import jax
import jax.numpy as jnp
import numpy as np


def robust_loss(error, delta, step):
    use_squared = (step < 10) | (jnp.abs(error) <= delta)
    return jnp.where(use_squared, error**2, delta * jnp.abs(error))
