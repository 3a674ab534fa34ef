# points: 7
# why: 멈춘 뒤에도 끝까지 도는 fori_loop
import functools

import jax
import jax.numpy as jnp
import numpy as np


def power_iteration(matrix, tolerance, max_steps):
    size = matrix.shape[0]

    def body(_, state):
        vector, norm, step, done = state
        product = matrix @ vector
        new_norm = jnp.linalg.norm(product)
        is_zero = new_norm == 0
        new = jnp.where(is_zero, vector, product / jnp.where(is_zero, 1.0, new_norm))
        small = jnp.linalg.norm(new - vector) < tolerance
        fresh = (new, new_norm, step + 1, is_zero | small)
        return jax.tree.map(lambda old, new: jnp.where(done, old, new), state, fresh)

    start = jnp.full(size, size**-0.5, jnp.float32)
    state = (start, jnp.float32(0.0), jnp.int32(0), jnp.bool_(False))
    vector, norm, step, _ = jax.lax.fori_loop(0, max_steps, body, state)
    return vector, norm, step
