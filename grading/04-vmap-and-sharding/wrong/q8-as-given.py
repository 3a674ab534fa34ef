# points: 0
# why: 자기 줄만으로 표준화함
import functools

import jax
import jax.numpy as jnp
import numpy as np
from jax import NamedSharding, P
from jax.sharding import AxisType


def standardize(address, index, rows):
    mine = np.asarray(rows, np.float32)
    deviation = mine.std(0)
    return (mine - mine.mean(0)) / np.where(deviation == 0, 1, deviation), mine.mean(0)
