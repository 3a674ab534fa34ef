# points: 5
# why: 가중치를 나누지 않고 숨은 층만 나눔
import functools

import jax
import jax.numpy as jnp
import numpy as np
from jax import NamedSharding, P
from jax.sharding import AxisType


def tensor_parallel(mesh, layer, x):
    whole, by_batch = NamedSharding(mesh, P()), NamedSharding(mesh, P("data"))

    def block(layer, x):
        hidden = jax.nn.relu(x @ layer["up"] + layer["up_bias"])
        hidden = jax.lax.with_sharding_constraint(hidden, NamedSharding(mesh, P("data", "model")))
        return hidden @ layer["down"] + layer["down_bias"]

    return jax.jit(block, in_shardings=(whole, by_batch), out_shardings=by_batch)(layer, x)
