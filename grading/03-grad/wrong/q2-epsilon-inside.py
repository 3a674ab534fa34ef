# points: 5
# why: 제곱근 안에 작은 수를 더해 가까운 쌍의 기울기를 바꿈
import jax
import jax.numpy as jnp


def pair_loss(a, b, same, margin):
    squared = jnp.sum((a - b) ** 2, axis=-1)
    distance = jnp.sqrt(squared + 1e-12)
    push = jnp.maximum(margin - distance, 0.0) ** 2
    return jnp.mean(jnp.where(same, squared, push))
