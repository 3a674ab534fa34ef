# points: 5
# why: 스텝 10까지 제곱 오차를 씀
import functools

import jax
import jax.numpy as jnp
import numpy as np


def robust_loss(error, delta, step):
    linear = delta * (2 * jnp.abs(error) - delta)
    use_squared = (step <= 10) | (jnp.abs(error) <= delta)
    return jnp.where(use_squared, error**2, linear)
