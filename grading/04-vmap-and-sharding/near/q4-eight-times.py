# points: 6
# why: 조각마다 실행해 더함
import functools

import jax
import jax.numpy as jnp
import numpy as np
from jax import NamedSharding, P
from jax.sharding import AxisType


def data_parallel(step, mesh, params, x, y):
    def local(params, x, y):
        return jax.tree.map(lambda a: jax.lax.psum(a, "data"), step(params, x, y))

    return jax.jit(jax.shard_map(local, mesh=mesh, in_specs=(P(), P("data"), P("data")), out_specs=P()))(params, x, y)
