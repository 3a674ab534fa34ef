# points: 1
# why: limit을 정적으로
import jax
import jax.numpy as jnp
import numpy as np


import functools


@functools.partial(jax.custom_vjp, nondiff_argnums=(2,))
def clipped_loss(prediction, target, limit):
    return 0.5 * jnp.sum((prediction - target) ** 2)


def forward(prediction, target, limit):
    return clipped_loss(prediction, target, limit), prediction - target


def backward(limit, error, gradient):
    clipped = gradient * jnp.clip(error, -limit, limit)
    return clipped, -clipped


clipped_loss.defvjp(forward, backward)
