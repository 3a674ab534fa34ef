# points: 5
# why: limit의 기울기가 0이 아님
import jax
import jax.numpy as jnp
import numpy as np


def clipped_loss(prediction, target, limit):
    @jax.custom_vjp
    def loss(p, t, bound):
        return 0.5 * jnp.sum((p - t) ** 2)

    def forward(p, t, bound):
        return loss(p, t, bound), (p - t, bound)

    def backward(saved, outer):
        clipped = outer * jnp.clip(saved[0], -saved[1], saved[1])
        return clipped, -clipped, jnp.ones_like(saved[1])

    loss.defvjp(forward, backward)
    return loss(prediction, target, limit)
