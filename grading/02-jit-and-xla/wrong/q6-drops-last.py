# points: 4
# why: 작은 마지막 배치를 버림
import functools

import jax
import jax.numpy as jnp
import numpy as np


def fit(loss, w, batches, learning_rate):
    @jax.jit
    def update(w, x, y, weight, step):
        return w - learning_rate / (1 + step) * jax.grad(loss)(w, x, y, weight)

    def pad(array):
        return np.pad(array, [(0, size - len(array))] + [(0, 0)] * (array.ndim - 1))

    w = jnp.asarray(w, jnp.float32)
    size = len(batches[0][0])
    for step, (x, y) in enumerate(batches):
        if len(x) < size:
            break
        weight = (np.arange(size) < len(x)).astype(np.float32)
        w = update(w, pad(x), pad(y), weight, np.float32(step))
    return w
