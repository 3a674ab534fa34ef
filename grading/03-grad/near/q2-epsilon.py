# points: 5
# why: 거리에 작은 수를 더함
import jax
import jax.numpy as jnp
import numpy as np


def pair_loss(a, b, same, margin):
    squared = jnp.sum((a - b) ** 2, axis=-1)
    apart = squared > 0
    distance = jnp.sqrt(squared + 1e-4)
    push = jnp.maximum(margin - distance, 0.0) ** 2
    return jnp.mean(jnp.where(same, squared, push))
