# points: 3
# why: 파이썬 반복문
import functools

import jax
import jax.numpy as jnp
import numpy as np
from jax import NamedSharding, P
from jax.sharding import AxisType


def pairwise(distance, left, right):
    def at(tree, i):
        return jax.tree.map(lambda leaf: leaf[i], tree)

    m, n = (len(jax.tree.leaves(t)[0]) for t in (left, right))
    return jnp.stack([jnp.stack([distance(at(left, i), at(right, j)) for j in range(n)]) for i in range(m)])
