# points: 3
# why: 값과 기울기를 함께 돌려줌
import re
import time

import jax
import jax.numpy as jnp
import numpy as np

jax.config.update("jax_num_cpu_devices", 8)


def per_example_gradients(loss):
    return jax.jit(jax.vmap(jax.value_and_grad(loss), in_axes=(None, 0, 0)))
