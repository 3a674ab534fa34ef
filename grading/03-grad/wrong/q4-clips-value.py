# points: 3
# why: 값도 자름
import jax
import jax.numpy as jnp
import numpy as np


def clipped_loss(prediction, target, limit):
    error = jnp.clip(prediction - target, -limit, limit)
    return 0.5 * jnp.sum(error**2)
