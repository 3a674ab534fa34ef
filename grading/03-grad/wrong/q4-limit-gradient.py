# points: 5
# why: limit의 기울기가 0이 아님
import jax
import jax.numpy as jnp


@jax.custom_vjp
def clipped_loss(prediction, target, limit):
    return 0.5 * jnp.sum((prediction - target) ** 2)


def forward(prediction, target, limit):
    return clipped_loss(prediction, target, limit), (prediction - target, limit)


def backward(saved, gradient):
    error, limit = saved
    clipped = gradient * jnp.clip(error, -limit, limit)
    return clipped, -clipped, jnp.ones_like(limit)


clipped_loss.defvjp(forward, backward)
