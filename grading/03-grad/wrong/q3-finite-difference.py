# points: 4
# why: 기울기의 유한 차분
import jax
import jax.numpy as jnp
import numpy as np


def hvp(f, w, v):
    g = jax.grad(f)
    e = 1e-3  # so small that rounding shows with every input
    up = g(jax.tree.map(lambda a, b: a + e * b, w, v))
    down = g(jax.tree.map(lambda a, b: a - e * b, w, v))
    return jax.tree.map(lambda a, b: (a - b) / (2 * e), up, down)
