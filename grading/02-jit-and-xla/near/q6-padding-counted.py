# points: 6
# why: 채운 예제의 가중치도 1
import functools

import jax
import jax.numpy as jnp
import numpy as np


def fit(loss, w, batches, learning_rate):
    @jax.jit
    def update(w, x, y, weight, step):
        rate = learning_rate / (1 + step)
        return w - rate * jax.grad(loss)(w, x, y, weight)

    def pad(array, size):
        rest = [(0, 0)] * (array.ndim - 1)
        return np.pad(array, [(0, size - len(array)), *rest])

    w = jnp.asarray(w, jnp.float32)
    size = len(batches[0][0])
    for step, (x, y) in enumerate(batches):
        weight = np.ones(size, np.float32)
        w = update(w, pad(x, size), pad(y, size), weight, np.float32(step))
    return w
