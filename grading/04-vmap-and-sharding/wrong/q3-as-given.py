# points: 0
# why: 리스트의 리스트
import functools

import jax
import jax.numpy as jnp
import numpy as np
from jax import NamedSharding, P
from jax.sharding import AxisType


def pairwise(distance, left, right):
    return [[distance(a, b) for b in right] for a in left]
