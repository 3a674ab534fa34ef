# points: 4
# why: jit한 grad를 예제마다 부름
import re
import time

import jax
import jax.numpy as jnp
import numpy as np

jax.config.update("jax_num_cpu_devices", 8)


def per_example_gradients(loss):
    gradient = jax.jit(jax.grad(loss))

    def each(w, x, y):
        rows = [gradient(w, x[i], y[i]) for i in range(len(x))]
        return jax.tree.map(lambda *leaves: jnp.stack(leaves), *rows)

    return each
