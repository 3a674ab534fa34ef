# points: 5
# why: 절댓값을 제곱근으로 적어 0에서 도함수가 NaN
import functools

import jax
import jax.numpy as jnp
import numpy as np


def robust_loss(error, delta, step):
    linear = delta * (2 * jnp.sqrt(error**2) - delta)
    use_squared = (step < 10) | (jnp.sqrt(error**2) <= delta)
    return jnp.where(use_squared, error**2, linear)
