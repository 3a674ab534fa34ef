# points: 7
# why: 마지막 벡터 대신 시작 벡터를 돌려줌
import functools

import jax
import jax.numpy as jnp
import numpy as np


def power_iteration(matrix, tolerance, max_steps):
    size = matrix.shape[0]

    def keep_going(state):
        _, _, step, done = state
        return ~done & (step < max_steps)

    def body(state):
        vector, _, step, _ = state
        product = matrix @ vector
        norm = jnp.linalg.norm(product)
        is_zero = norm == 0
        new = jnp.where(is_zero, vector, product / jnp.where(is_zero, 1.0, norm))
        small = jnp.linalg.norm(new - vector) < tolerance
        return new, norm, step + 1, is_zero | small

    start = jnp.full(size, size**-0.5, jnp.float32)
    state = (start, jnp.float32(0.0), jnp.int32(0), jnp.bool_(False))
    vector, norm, step, _ = jax.lax.while_loop(keep_going, body, state)
    return start, norm, step
