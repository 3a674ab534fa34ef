# points: 1
# why: 적힌 코드를 JAX로만 옮김
import jax
import jax.numpy as jnp
import numpy as np


def accumulate(losses, params, x, y, weight, pieces):
    total, gradient = 0.0, jax.tree.map(jnp.zeros_like, params)
    for xs, ys, ws in zip(jnp.split(x, pieces), jnp.split(y, pieces), jnp.split(weight, pieces)):
        def loss(p):
            return (ws * losses(p, xs, ys)).sum() / ws.sum()

        one, slope = jax.value_and_grad(loss)(params)
        total = total + one / pieces
        gradient = jax.tree.map(lambda g, s: g + s / pieces, gradient, slope)
    return total, gradient
