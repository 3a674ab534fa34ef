# points: 3
# why: 스텝의 조건을 거꾸로 적음
import functools

import jax
import jax.numpy as jnp
import numpy as np


def robust_loss(error, delta, step):
    linear = delta * (2 * jnp.abs(error) - delta)
    use_squared = (step > 10) | (jnp.abs(error) <= delta)
    return jnp.where(use_squared, error**2, linear)
