# points: 2
# why: 파이썬 반복문과 if가 남아 jit에서 멈춤
import functools

import jax
import jax.numpy as jnp
import numpy as np


def power_iteration(matrix, tolerance, max_steps):
    size = len(matrix)
    vector = jnp.full(size, size**-0.5, jnp.float32)
    for step in range(max_steps):
        product = matrix @ vector
        norm = jnp.linalg.norm(product)
        if norm == 0:
            break
        change = jnp.linalg.norm(product / norm - vector)
        vector = product / norm
        if change < tolerance:
            break
    return vector, norm, jnp.int32(step + 1)
