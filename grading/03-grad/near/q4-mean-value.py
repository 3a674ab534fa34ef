# points: 5
# why: 값을 평균으로 냄
import jax
import jax.numpy as jnp
import numpy as np


def clipped_loss(prediction, target, limit):
    @jax.custom_vjp
    def loss(p, t, bound):
        return 0.5 * jnp.mean((p - t) ** 2)

    def forward(p, t, bound):
        return loss(p, t, bound), (p - t, bound)

    def backward(saved, outer):
        clipped = outer * jnp.clip(saved[0], -saved[1], saved[1])
        return clipped, -clipped, None

    loss.defvjp(forward, backward)
    return loss(prediction, target, limit)
