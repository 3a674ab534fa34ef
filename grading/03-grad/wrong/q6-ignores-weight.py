# points: 5
# why: 가중치를 보지 않음
import jax
import jax.numpy as jnp
import numpy as np


def accumulate(losses, params, x, y, weight, pieces):
    def piece_sum(p, xs, ys, ws):
        return jnp.sum(losses(p, xs, ys))

    def step(total, piece):
        one = jax.value_and_grad(piece_sum)(params, *piece)
        return jax.tree.map(jnp.add, total, one), None

    def cut(a):
        return a.reshape(pieces, -1, *a.shape[1:])

    start = jax.tree.map(jnp.zeros_like, (jnp.float32(0.0), params))
    sums = jax.lax.scan(step, start, (cut(x), cut(y), cut(weight)))[0]
    return jax.tree.map(lambda leaf: leaf / weight.size, sums)
