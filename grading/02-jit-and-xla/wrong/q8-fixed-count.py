# points: 4
# why: 멈추지 않고 언제나 max_steps번 돎
import functools

import jax
import jax.numpy as jnp
import numpy as np


def power_iteration(matrix, tolerance, max_steps):
    size = len(matrix)

    def body(_, state):
        vector, _ = state
        product = matrix @ vector
        norm = jnp.linalg.norm(product)
        return jnp.where(norm > 0, product / jnp.where(norm > 0, norm, 1), vector), norm

    start = (jnp.full(size, size**-0.5, jnp.float32), jnp.float32(0.0))
    vector, norm = jax.lax.fori_loop(0, max_steps, body, start)
    return vector, norm, jnp.int32(max_steps)
