# points: 4
# why: apply가 params 대신 옮길 때의 사본을 씀
import jax
import jax.numpy as jnp
from flax import nnx


def to_plain(model):
    graphdef, state = nnx.split(model)
    state = jax.tree.map(jnp.array, state)
    params = [jnp.array(leaf) for leaf in jax.tree.leaves(state)]
    return params, lambda params, x: nnx.merge(graphdef, state)(x)
