# points: 2
# why: 적힌 코드를 jnp로만 바꿈
import functools

import jax
import jax.numpy as jnp
import numpy as np


def power_iteration(matrix, tolerance, max_steps):
    vector = jnp.ones(len(matrix)) / len(matrix) ** 0.5
    for step in range(max_steps):
        product = matrix @ vector
        norm = jnp.linalg.norm(product)
        if norm.item() == 0:
            return vector, norm, step + 1
        new = product / norm
        change = jnp.linalg.norm(new - vector)
        vector = new
        if change.item() < tolerance:
            break
    return vector, norm, step + 1
