# points: 7
# why: 영행렬에서 0을 0으로 나눔
import functools

import jax
import jax.numpy as jnp
import numpy as np


def power_iteration(matrix, tolerance, max_steps):
    size = len(matrix)

    def body(state):
        vector, _, step, _ = state
        product = matrix @ vector
        norm = jnp.linalg.norm(product)
        new = product / norm
        done = jnp.linalg.norm(new - vector) < tolerance
        return new, norm, step + 1, done

    start = jnp.full(size, size**-0.5, jnp.float32)
    state = (start, jnp.float32(0.0), jnp.int32(0), jnp.bool_(False))
    state = jax.lax.while_loop(lambda s: ~s[3] & (s[2] < max_steps), body, state)
    return state[0], state[1], state[2]
