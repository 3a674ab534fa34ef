# points: 1
# why: 적힌 코드 그대로
import functools

import jax
import jax.numpy as jnp
import numpy as np


def fit(loss, w, batches, learning_rate):
    for step, (x, y) in enumerate(batches):
        @functools.partial(jax.jit, static_argnums=3)
        def update(w, x, y, step):
            weight = jnp.ones(len(x))
            rate = learning_rate / (1 + step)
            return w - rate * jax.grad(loss)(w, x, y, weight)

        w = update(w, x, y, step)
    return w
