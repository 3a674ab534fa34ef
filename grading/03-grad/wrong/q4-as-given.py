# points: 1
# why: 규칙 없이 값만
import jax
import jax.numpy as jnp
import numpy as np


def clipped_loss(prediction, target, limit):
    return 0.5 * jnp.sum((prediction - target) ** 2)
