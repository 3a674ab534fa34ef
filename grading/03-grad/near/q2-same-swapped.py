# points: 4
# why: 같은 쌍과 다른 쌍을 바꿈
import jax
import jax.numpy as jnp
import numpy as np


def pair_loss(a, b, same, margin):
    squared = jnp.sum((a - b) ** 2, axis=-1)
    apart = squared > 0
    distance = jnp.where(apart, jnp.sqrt(jnp.where(apart, squared, 1.0)), 0.0)
    push = jnp.maximum(margin - distance, 0.0) ** 2
    return jnp.mean(jnp.where(same, push, squared))
