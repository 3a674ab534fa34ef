# points: 3
# why: 두 물체의 순서를 바꿈
import jax
import jax.numpy as jnp


def pairwise(distance, left, right):
    one_to_many = jax.vmap(lambda a, b: distance(b, a), in_axes=(None, 0))
    return jax.vmap(one_to_many, in_axes=(0, None))(left, right)
