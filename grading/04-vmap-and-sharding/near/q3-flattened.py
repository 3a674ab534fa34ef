# points: 3
# why: 쌍의 축을 하나로 폄
import functools

import jax
import jax.numpy as jnp
import numpy as np
from jax import NamedSharding, P
from jax.sharding import AxisType


def pairwise(distance, left, right):
    one_to_many = jax.vmap(distance, in_axes=(None, 0))
    table = jax.vmap(one_to_many, in_axes=(0, None))(left, right)
    return table.reshape(-1, *table.shape[2:])
