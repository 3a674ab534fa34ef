# points: 5
# why: 원소마다가 아니라 노름으로 자름
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
        clipped = outer * saved[0] * jnp.minimum(1.0, saved[1] / jnp.maximum(jnp.linalg.norm(saved[0]), 1e-9))
        return clipped, -clipped, None

    loss.defvjp(forward, backward)
    return loss(prediction, target, limit)
