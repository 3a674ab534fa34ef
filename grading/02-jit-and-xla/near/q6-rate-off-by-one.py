# points: 5
# why: 학습률이 한 스텝 앞섬
import functools

import jax
import jax.numpy as jnp
import numpy as np


def fit(loss, w, batches, learning_rate):
    @jax.jit
    def update(w, x, y, weight, step):
        rate = learning_rate / (2 + step)
        return w - rate * jax.grad(loss)(w, x, y, weight)

    def pad(array, size):
        rest = [(0, 0)] * (array.ndim - 1)
        return np.pad(array, [(0, size - len(array)), *rest])

    w = jnp.asarray(w, jnp.float32)
    size = len(batches[0][0])
    for step, (x, y) in enumerate(batches):
        weight = (np.arange(size) < len(x)).astype(np.float32)
        w = update(w, pad(x, size), pad(y, size), weight, np.float32(step))
    return w
