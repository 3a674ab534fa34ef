# points: 2
# why: jit 안에서 반복문을 펼침
import re
import time

import jax
import jax.numpy as jnp
import numpy as np

jax.config.update("jax_num_cpu_devices", 8)


def per_example_gradients(loss):
    @jax.jit
    def each(w, x, y):
        rows = [jax.grad(loss)(w, x[i], y[i]) for i in range(len(x))]
        return jax.tree.map(lambda *leaves: jnp.stack(leaves), *rows)

    return each
