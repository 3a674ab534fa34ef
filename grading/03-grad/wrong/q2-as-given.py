# points: 1
# why: 적힌 코드를 jnp로만 바꿈
import jax
import jax.numpy as jnp
import numpy as np


def pair_loss(a, b, same, margin):
    distance = jnp.linalg.norm(a - b, axis=-1)
    push = jnp.maximum(margin - distance, 0.0) ** 2
    return jnp.where(same, distance**2, push).mean()
