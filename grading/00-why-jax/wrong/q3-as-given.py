# points: 0
# why: 적힌 반복문
import re
import time

import jax
import jax.numpy as jnp
import numpy as np

jax.config.update("jax_num_cpu_devices", 8)


def per_example_gradients(loss):
    def slow(w, x, y):
        return [jax.grad(loss)(w, x[i], y[i]) for i in range(len(x))]

    return slow
