# points: 4
# why: 배치도 복제함
import functools

import jax
import jax.numpy as jnp
import numpy as np
from jax import NamedSharding, P
from jax.sharding import AxisType


def data_parallel(step, mesh, params, x, y):
    replicated, by_batch = NamedSharding(mesh, P()), NamedSharding(mesh, P("data"))
    placed = (replicated, replicated, replicated)
    return jax.jit(step, in_shardings=placed, out_shardings=replicated)(params, x, y)
