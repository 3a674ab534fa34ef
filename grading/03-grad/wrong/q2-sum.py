# points: 5
# why: 평균이 아니라 합
import jax
import jax.numpy as jnp


def pair_loss(a, b, same, margin):
    squared = jnp.sum((a - b) ** 2, axis=-1)
    apart = squared > 0
    distance = jnp.where(apart, jnp.sqrt(jnp.where(apart, squared, 1.0)), 0.0)
    push = jnp.maximum(margin - distance, 0.0) ** 2
    return jnp.sum(jnp.where(same, squared, push))
