# points: 3
# why: 배치 축을 끝에 붙임
import re
import time

import jax
import jax.numpy as jnp
import numpy as np

jax.config.update("jax_num_cpu_devices", 8)


def per_example_gradients(loss):
    return jax.jit(jax.vmap(jax.grad(loss), in_axes=(None, 0, 0), out_axes=-1))
