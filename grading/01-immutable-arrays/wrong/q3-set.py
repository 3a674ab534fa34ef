# points: 5
# why: 겹친 번호의 가중치를 하나만 남김
import jax
import jax.numpy as jnp


def histogram(bins, weights, size):
    slot = jnp.zeros(size).at[bins]
    return slot.set(weights, mode="drop", wrap_negative_indices=False)
