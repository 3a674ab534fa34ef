# points: 1
# why: jnp.linalg.norm을 그대로 씀
import jax
import jax.numpy as jnp


def pair_loss(a, b, same, margin):
    squared = jnp.sum((a - b) ** 2, axis=-1)
    distance = jnp.linalg.norm(a - b, axis=-1)
    push = jnp.maximum(margin - distance, 0.0) ** 2
    return jnp.mean(jnp.where(same, squared, push))
