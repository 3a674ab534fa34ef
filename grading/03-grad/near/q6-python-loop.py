# points: 4
# why: 조각마다 파이썬 for로 돎
import jax
import jax.numpy as jnp
import numpy as np


def accumulate(losses, params, x, y, weight, pieces):
    def piece_sum(p, xs, ys, ws):
        return jnp.sum(ws * losses(p, xs, ys))

    def step(total, piece):
        one = jax.value_and_grad(piece_sum)(params, *piece)
        return jax.tree.map(jnp.add, total, one), None

    def cut(a):
        return a.reshape(pieces, -1, *a.shape[1:])

    start = jax.tree.map(jnp.zeros_like, (jnp.float32(0.0), params))
    sums = start
    for piece in zip(cut(x), cut(y), cut(weight)):
        sums, _ = step(sums, piece)
    return jax.tree.map(lambda leaf: leaf / jnp.sum(weight), sums)
