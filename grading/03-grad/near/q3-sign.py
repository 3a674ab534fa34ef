# points: 4
# why: 부호가 거꾸로
import jax
import jax.numpy as jnp
import numpy as np


def hvp(f, w, v):
    return jax.tree.map(jnp.negative, jax.jvp(jax.grad(f), (w,), (v,))[1])
