# points: 3
# why: 한 스텝
import jax
import jax.numpy as jnp
import numpy as np


def fixed_point(f, theta, start):
    return f(theta, start)
