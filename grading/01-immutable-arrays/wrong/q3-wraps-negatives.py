# points: 5
# why: 음수 번호를 뒤에서부터 셈
import jax
import jax.numpy as jnp


def histogram(bins, weights, size):
    slot = jnp.zeros(size).at[bins]
    return slot.add(weights)
