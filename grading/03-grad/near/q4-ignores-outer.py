# points: 5
# why: 바깥에서 온 기울기를 곱하지 않음
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
        clipped = jnp.clip(saved[0], -saved[1], saved[1])
        return clipped, -clipped, None

    loss.defvjp(forward, backward)
    return loss(prediction, target, limit)
