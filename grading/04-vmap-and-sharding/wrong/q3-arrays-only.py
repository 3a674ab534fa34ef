# points: 1
# why: 물체가 배열 하나라고 믿음
import jax
import jax.numpy as jnp


def pairwise(distance, left, right):
    left, right = jnp.asarray(left), jnp.asarray(right)
    one_to_many = jax.vmap(distance, in_axes=(None, 0))
    return jax.vmap(one_to_many, in_axes=(0, None))(left, right)
