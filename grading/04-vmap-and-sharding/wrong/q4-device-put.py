# points: 4
# why: device_put으로 놓아 jit 안에서 나뉘지 않음
import functools

import jax
import jax.numpy as jnp
import numpy as np
from jax import NamedSharding, P
from jax.sharding import AxisType


def data_parallel(step, mesh, params, x, y):
    replicated, by_batch = NamedSharding(mesh, P()), NamedSharding(mesh, P("data"))
    params = jax.device_put(params, replicated)
    x, y = jax.device_put((x, y), by_batch)
    return jax.jit(step)(params, x, y)
