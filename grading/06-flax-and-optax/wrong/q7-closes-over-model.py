# points: 3
# why: apply가 params 대신 model을 부름
import jax
import jax.numpy as jnp
from flax import nnx


def to_plain(model):
    params = jax.tree.map(jnp.array, nnx.to_pure_dict(nnx.state(model, nnx.Param)))
    params = {
        name: {n: v for n, v in layer.items() if v is not None}
        for name, layer in enumerate(params["layers"].values())
    }
    return params, lambda params, x: model(x)
