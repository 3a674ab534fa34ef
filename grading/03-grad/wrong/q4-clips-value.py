# points: 0
# why: 기울기가 아니라 오차를 잘라 값이 바뀜
import jax
import jax.numpy as jnp


def clipped_loss(prediction, target, limit):
    return 0.5 * jnp.sum(jnp.clip(prediction - target, -limit, limit) ** 2)
