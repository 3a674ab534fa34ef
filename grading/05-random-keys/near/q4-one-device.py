# points: 5
# why: 나누지 않음
import functools

import jax
import jax.numpy as jnp
import numpy as np


def sample_rows(key, rows, width, mesh):
    by_rows = None
    draw = functools.partial(jax.random.normal, shape=(rows, width))
    return jax.jit(draw, out_shardings=by_rows)(key)
