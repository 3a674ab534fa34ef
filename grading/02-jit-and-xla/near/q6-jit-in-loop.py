# points: 4
# why: jit한 함수를 반복문 안에서 만듦
import functools

import jax
import jax.numpy as jnp
import numpy as np


def fit(loss, w, batches, learning_rate):
    w = jnp.asarray(w, jnp.float32)
    size = len(batches[0][0])

    def pad(array):
        return np.pad(array, [(0, size - len(array))] + [(0, 0)] * (array.ndim - 1))

    for step, (x, y) in enumerate(batches):
        @jax.jit
        def update(w, x, y, weight, step):
            return w - learning_rate / (1 + step) * jax.grad(loss)(w, x, y, weight)

        weight = (np.arange(size) < len(x)).astype(np.float32)
        w = update(w, pad(x), pad(y), weight, np.float32(step))
    return w
