# points: 1
# why: pmap 그대로
import functools

import jax
import jax.numpy as jnp
import numpy as np
from jax import NamedSharding, P
from jax.sharding import AxisType


def clip(tree, limit):
    norm = jnp.sqrt(sum(jnp.sum(leaf**2) for leaf in jax.tree.leaves(tree)))
    return jax.tree.map(lambda leaf: leaf * jnp.minimum(1.0, limit / norm), tree)


def train(loss, mesh, params, x, y):
    @functools.partial(jax.pmap, axis_name="batch")
    def update(params, momentum, x, y):
        value, gradient = jax.value_and_grad(loss)(params, x, y)
        gradient = clip(jax.lax.pmean(gradient, "batch"), 1.0)
        momentum = jax.tree.map(lambda m, g: 0.9 * m + g, momentum, gradient)
        params = jax.tree.map(lambda p, m: p - 0.1 * m, params, momentum)
        return params, momentum, jax.lax.pmean(value, "batch")

    n, losses = jax.device_count(), []
    params = jax.tree.map(lambda p: jnp.stack([p] * n), params)
    momentum = jax.tree.map(jnp.zeros_like, params)
    for one_x, one_y in zip(x, y):
        one_x, one_y = (a.reshape(n, -1, *a.shape[1:]) for a in (one_x, one_y))
        params, momentum, value = update(params, momentum, one_x, one_y)
        losses.append(value[0])
    return jax.tree.map(lambda p: p[0], params), jnp.stack(losses)
