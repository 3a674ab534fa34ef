# points: 0
# why: 같은 번호끼리만 짝지음
import jax
import jax.numpy as jnp


def pairwise(distance, left, right):
    return jax.vmap(distance)(left, right)
