# points: 1
# why: 미분 규칙을 바꾸지 않음
import jax
import jax.numpy as jnp


def clipped_loss(prediction, target, limit):
    return 0.5 * jnp.sum((prediction - target) ** 2)
