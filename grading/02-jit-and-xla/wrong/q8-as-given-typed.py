# points: 2
# why: 파이썬 반복문에 dtype만 맞춤
import functools

import jax
import jax.numpy as jnp
import numpy as np


def power_iteration(matrix, tolerance, max_steps):
    vector = jnp.ones(len(matrix)) / len(matrix) ** 0.5
    for step in range(max_steps):
        product = matrix @ vector
        norm = jnp.linalg.norm(product)
        if norm == 0:
            return vector, norm, jnp.int32(step + 1)
        new = product / norm
        change = jnp.linalg.norm(new - vector)
        vector = new
        if change < tolerance:
            break
    return vector, norm, jnp.int32(step + 1)
