# points: 5
# why: params가 맨 파이트리가 아니라 nnx.State임
import jax
import jax.numpy as jnp
from flax import nnx


def to_plain(model):
    graphdef, params = nnx.split(model)
    return jax.tree.map(jnp.array, params), lambda params, x: nnx.merge(graphdef, params)(x)
