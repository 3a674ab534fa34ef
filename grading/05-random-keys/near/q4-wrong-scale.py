# points: 7
# why: 표준편차가 2
import functools

import jax
import jax.numpy as jnp
import numpy as np


def sample_rows(key, rows, width, mesh):
    by_rows = jax.NamedSharding(mesh, jax.P("data"))
    def draw(key):
        return 2.0 * jax.random.normal(key, (rows, width))

    return jax.jit(draw, out_shardings=by_rows)(key)
