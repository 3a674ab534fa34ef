# points: 5
# why: target의 기울기에 부호를 바꾸지 않음
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
    return clipped, clipped, None


clipped_loss.defvjp(forward, backward)
