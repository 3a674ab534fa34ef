# points: 4
# why: 첫 잎만 봄
import functools

import jax
import jax.numpy as jnp
import numpy as np
from jax import NamedSharding, P
from jax.sharding import AxisType


def gradient_norms(loss, params, x, y):
    def norm(one_x, one_y):
        leaves = jax.tree.leaves(jax.grad(loss)(params, one_x, one_y))
        return jnp.sqrt(sum(jnp.sum(leaf**2) for leaf in leaves[:1]))

    return jax.vmap(norm)(x, y)
