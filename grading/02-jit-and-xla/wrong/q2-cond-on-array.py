# points: 0
# why: 배열을 cond의 조건으로 넣음
import functools

import jax
import jax.numpy as jnp
import numpy as np


def robust_loss(error, delta, step):
    return jax.lax.cond(
        (step < 10) | (jnp.abs(error) <= delta),
        lambda e: e**2,
        lambda e: delta * (2 * jnp.abs(e) - delta),
        error,
    )
