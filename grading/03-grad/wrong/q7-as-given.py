# points: 1
# why: 적힌 코드 그대로
import jax
import jax.numpy as jnp
import numpy as np


def fixed_point(f, theta, start):
    z = start
    while jnp.abs(f(theta, z) - z).max() > 1e-6:
        z = f(theta, z)
    return z
