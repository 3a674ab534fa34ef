# points: 3
# why: 배치의 평균 기울기
import re
import time

import jax
import jax.numpy as jnp
import numpy as np

jax.config.update("jax_num_cpu_devices", 8)


def per_example_gradients(loss):
    each = jax.vmap(jax.grad(loss), in_axes=(None, 0, 0))
    return jax.jit(lambda w, x, y: jax.tree.map(lambda g: g.mean(0), each(w, x, y)))
