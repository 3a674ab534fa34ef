# points: 4
# why: 전체의 줄을 돌려줌
import functools

import jax
import jax.numpy as jnp
import numpy as np
from jax import NamedSharding, P
from jax.sharding import AxisType


def _statistics(x):
    deviation = x.std(axis=0)
    return x.mean(axis=0), jnp.where(deviation == 0, 1.0, deviation)


def _global_array(mine):
    mesh = jax.make_mesh((jax.device_count(),), ("data",), axis_types=(AxisType.Auto,))
    by_row = NamedSharding(mesh, P("data"))
    return jax.make_array_from_process_local_data(by_row, mine), NamedSharding(mesh, P())


def standardize(address, index, rows):
    jax.distributed.initialize(address, num_processes=2, process_id=index)
    mine = np.asarray(rows, np.float32)
    everything, replicated = _global_array(mine)
    whole = np.asarray(jax.jit(lambda a: a, out_shardings=replicated)(everything))
    found = jax.jit(_statistics, out_shardings=replicated)(everything)
    mean, deviation = (np.asarray(value) for value in found)
    return (whole - mean) / deviation, mean
