# points: 4
# why: 직선 부분을 절반만 뺌
import functools

import jax
import jax.numpy as jnp
import numpy as np


def robust_loss(error, delta, step):
    linear = delta * (2 * jnp.abs(error) - 0.5 * delta)
    use_squared = (step < 10) | (jnp.abs(error) <= delta)
    return jnp.where(use_squared, error**2, linear)
