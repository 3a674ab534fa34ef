# points: 1
# why: 예제마다 반복문
import functools

import jax
import jax.numpy as jnp
import numpy as np
from jax import NamedSharding, P
from jax.sharding import AxisType


def gradient_norms(loss, params, x, y):
    norms = []
    for one_x, one_y in zip(x, y):
        grads = jax.tree.leaves(jax.grad(loss)(params, one_x, one_y))
        norms.append(jnp.sqrt(sum((g**2).sum() for g in grads)))
    return jnp.stack(norms)
