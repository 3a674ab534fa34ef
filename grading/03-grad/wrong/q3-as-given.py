# points: 1
# why: 헤세 행렬을 만듦
import jax
import jax.numpy as jnp
import numpy as np


def hvp(f, w, v):
    return jax.hessian(f)(w) @ v
