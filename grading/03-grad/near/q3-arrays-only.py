# points: 3
# why: 배열 하나에서만 됨
import jax
import jax.numpy as jnp
import numpy as np


def hvp(f, w, v):
    return jax.grad(lambda w: jnp.vdot(jax.grad(f)(w), v))(w)
