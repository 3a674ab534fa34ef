# points: 4
# why: 벗어난 번호를 가장자리 칸에 더함
import jax
import jax.numpy as jnp


def histogram(bins, weights, size):
    return jnp.zeros(size).at[jnp.clip(bins, 0, size - 1)].add(weights)
