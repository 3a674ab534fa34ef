# points: 0
# why: initialize는 하지만 자기 통계를 씀
import functools

import jax
import jax.numpy as jnp
import numpy as np
from jax import NamedSharding, P
from jax.sharding import AxisType


def standardize(address, index, rows):
    jax.distributed.initialize(address, num_processes=2, process_id=index)
    mine = np.asarray(rows, np.float32)
    deviation = mine.std(0)
    return (mine - mine.mean(0)) / np.where(deviation == 0, 1, deviation), mine.mean(0)
