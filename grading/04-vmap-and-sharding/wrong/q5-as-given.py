# points: 1
# why: 적힌 코드를 jnp로만 바꿈
import functools

import jax
import jax.numpy as jnp
import numpy as np
from jax import NamedSharding, P
from jax.sharding import AxisType


def tensor_parallel(mesh, layer, x):
    hidden = jax.nn.relu(x @ layer["up"] + layer["up_bias"])
    return hidden @ layer["down"] + layer["down_bias"]
