# points: 3
# why: where를 제곱근 뒤에만 씀
import jax
import jax.numpy as jnp


def pair_loss(a, b, same, margin):
    squared = jnp.sum((a - b) ** 2, axis=-1)
    distance = jnp.where(squared > 0, jnp.sqrt(squared), 0.0)
    push = jnp.maximum(margin - distance, 0.0) ** 2
    return jnp.mean(jnp.where(same, squared, push))
