# points: 1
# why: 제곱근 뒤에서만 고름
import jax
import jax.numpy as jnp
import numpy as np


def pair_loss(a, b, same, margin):
    squared = jnp.sum((a - b) ** 2, axis=-1)
    apart = squared > 0
    distance = jnp.where(apart, jnp.sqrt(squared), 0.0)
    push = jnp.maximum(margin - distance, 0.0) ** 2
    return jnp.mean(jnp.where(same, squared, push))
