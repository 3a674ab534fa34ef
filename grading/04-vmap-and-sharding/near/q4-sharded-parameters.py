# points: 6
# why: 결과를 나눠 둠
import functools

import jax
import jax.numpy as jnp
import numpy as np
from jax import NamedSharding, P
from jax.sharding import AxisType


def data_parallel(step, mesh, params, x, y):
    replicated, by_batch = NamedSharding(mesh, P()), NamedSharding(mesh, P(mesh.axis_names))
    placed = (replicated, by_batch, by_batch)
    return jax.jit(step, in_shardings=placed, out_shardings=replicated)(params, x, y)
