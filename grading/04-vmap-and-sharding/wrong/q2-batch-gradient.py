# points: 4
# why: 배치의 기울기 하나
import functools

import jax
import jax.numpy as jnp
import numpy as np
from jax import NamedSharding, P
from jax.sharding import AxisType


def gradient_norms(loss, params, x, y):
    def norm(one_x, one_y):
        leaves = jax.tree.leaves(jax.grad(loss)(params, one_x, one_y))
        return jnp.sqrt(sum(jnp.sum(leaf**2) for leaf in leaves))

    mean = jax.grad(lambda p: jax.vmap(loss, (None, 0, 0))(p, x, y).mean())(params)
    size = jnp.sqrt(sum(jnp.sum(leaf**2) for leaf in jax.tree.leaves(mean)))
    return jnp.full(len(x), size)
