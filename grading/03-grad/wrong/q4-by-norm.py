# points: 5
# why: 원소마다가 아니라 노름으로 자름
import jax
import jax.numpy as jnp


@jax.custom_vjp
def clipped_loss(prediction, target, limit):
    return 0.5 * jnp.sum((prediction - target) ** 2)


def forward(prediction, target, limit):
    return clipped_loss(prediction, target, limit), (prediction - target, limit)


def backward(saved, gradient):
    error, limit = saved
    clipped = gradient * error * jnp.minimum(1.0, limit / jnp.linalg.norm(error))
    return clipped, -clipped, None


clipped_loss.defvjp(forward, backward)
