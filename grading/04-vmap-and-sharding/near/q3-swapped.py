# points: 3
# why: 두 물체를 바꿔 넘김
import functools

import jax
import jax.numpy as jnp
import numpy as np
from jax import NamedSharding, P
from jax.sharding import AxisType


def pairwise(distance, left, right):
    one_to_many = jax.vmap(lambda a, b: distance(b, a), in_axes=(None, 0))
    return jax.vmap(one_to_many, in_axes=(0, None))(left, right)
