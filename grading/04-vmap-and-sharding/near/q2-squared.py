# points: 4
# why: 제곱근을 빠뜨림
import functools

import jax
import jax.numpy as jnp
import numpy as np
from jax import NamedSharding, P
from jax.sharding import AxisType


def gradient_norms(loss, params, x, y):
    def norm(one_x, one_y):
        leaves = jax.tree.leaves(jax.grad(loss)(params, one_x, one_y))
        return sum(jnp.sum(leaf**2) for leaf in leaves)

    return jax.vmap(norm)(x, y)
