# points: 5
# why: relu를 빠뜨림
import functools

import jax
import jax.numpy as jnp
import numpy as np
from jax import NamedSharding, P
from jax.sharding import AxisType


def _block(layer, x):
    hidden = x @ layer["up"] + layer["up_bias"]
    return hidden @ layer["down"] + layer["down_bias"]


def tensor_parallel(mesh, layer, x):
    specs = {
        "up": P(None, "model"),
        "up_bias": P("model"),
        "down": P("model", None),
        "down_bias": P(),
    }
    placed = jax.tree.map(lambda spec: NamedSharding(mesh, spec), (specs, P("data")))
    return jax.jit(_block, in_shardings=placed, out_shardings=placed[1])(layer, x)
