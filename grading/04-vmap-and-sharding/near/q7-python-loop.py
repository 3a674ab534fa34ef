# points: 6
# why: 스텝을 파이썬 for로 돎
import functools

import jax
import jax.numpy as jnp
import numpy as np
from jax import NamedSharding, P
from jax.sharding import AxisType


def train(loss, mesh, params, x, y):
    replicated, by_batch = NamedSharding(mesh, P()), NamedSharding(mesh, P("data"))

    def update(params, momentum, x, y):
        value, gradient = jax.value_and_grad(loss)(params, x, y)
        squares = [jnp.sum(leaf**2) for leaf in jax.tree.leaves(gradient)]
        scale = jnp.minimum(1.0, 1.0 / jnp.sqrt(sum(squares)))
        momentum = jax.tree.map(lambda m, g: 0.9 * m + scale * g, momentum, gradient)
        params = jax.tree.map(lambda p, m: p - 0.1 * m, params, momentum)
        return params, momentum, value

    momentum, losses = jax.tree.map(jnp.zeros_like, params), []
    for one_x, one_y in zip(x, y):
        fresh = jax.jit(lambda *a: update(*a), in_shardings=(replicated, replicated, by_batch, by_batch), out_shardings=replicated)
        params, momentum, value = fresh(params, momentum, one_x, one_y)
        losses.append(value)
    return params, jnp.stack(losses)
