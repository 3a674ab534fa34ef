# points: 3
# why: 부를 때마다 jit을 새로 씌움
import re
import time

import jax
import jax.numpy as jnp
import numpy as np

jax.config.update("jax_num_cpu_devices", 8)


def per_example_gradients(loss):
    return lambda w, x, y: jax.jit(jax.vmap(jax.grad(lambda *a: loss(*a)), in_axes=(None, 0, 0)))(w, x, y)
