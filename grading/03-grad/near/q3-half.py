# points: 4
# why: 절반
import jax
import jax.numpy as jnp
import numpy as np


def hvp(f, w, v):
    return jax.tree.map(lambda h: h / 2, jax.jvp(jax.grad(f), (w,), (v,))[1])
