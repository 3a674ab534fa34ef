# points: 3
# why: jit을 빠뜨림
import re
import time

import jax
import jax.numpy as jnp
import numpy as np

jax.config.update("jax_num_cpu_devices", 8)


def per_example_gradients(loss):
    return jax.vmap(jax.grad(loss), in_axes=(None, 0, 0))
