# points: 4
# why: 조건에서 절댓값을 빠뜨려 음의 오차를 모두 제곱함
import functools

import jax
import jax.numpy as jnp
import numpy as np


def robust_loss(error, delta, step):
    linear = delta * (2 * jnp.abs(error) - delta)
    use_squared = (step < 10) | (error <= delta)
    return jnp.where(use_squared, error**2, linear)
