# points: 2
# why: 데이터만 나눔
import functools

import jax
import jax.numpy as jnp
import numpy as np
from jax import NamedSharding, P
from jax.sharding import AxisType


def _block(layer, x):
    hidden = jax.nn.relu(x @ layer["up"] + layer["up_bias"])
    return hidden @ layer["down"] + layer["down_bias"]


def tensor_parallel(mesh, layer, x):
    specs = {
        "up": P(),
        "up_bias": P(),
        "down": P(),
        "down_bias": P(),
    }
    placed = jax.tree.map(lambda spec: NamedSharding(mesh, spec), (specs, P("data")))
    return jax.jit(_block, in_shardings=placed, out_shardings=placed[1])(layer, x)
