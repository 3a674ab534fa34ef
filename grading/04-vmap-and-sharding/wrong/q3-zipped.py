# points: 0
# why: 짝만
import functools

import jax
import jax.numpy as jnp
import numpy as np
from jax import NamedSharding, P
from jax.sharding import AxisType


def pairwise(distance, left, right):
    return jax.vmap(distance)(left, right)
