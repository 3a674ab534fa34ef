# points: 4
# why: 스텝이 정적 인자로 남음
import functools

import jax
import jax.numpy as jnp
import numpy as np


def fit(loss, w, batches, learning_rate):
    @functools.partial(jax.jit, static_argnames="step")
    def update(w, x, y, weight, step):
        return w - learning_rate / (1 + step) * jax.grad(loss)(w, x, y, weight)

    def pad(array):
        return np.pad(array, [(0, size - len(array))] + [(0, 0)] * (array.ndim - 1))

    w = jnp.asarray(w, jnp.float32)
    size = len(batches[0][0])
    for step, (x, y) in enumerate(batches):
        weight = (np.arange(size) < len(x)).astype(np.float32)
        w = update(w, pad(x), pad(y), weight, step=step)
    return w
