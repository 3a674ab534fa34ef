# points: 1
# why: step을 그대로 부름
import functools

import jax
import jax.numpy as jnp
import numpy as np
from jax import NamedSharding, P
from jax.sharding import AxisType


def data_parallel(step, mesh, params, x, y):
    return jax.jit(step)(params, x, y)
