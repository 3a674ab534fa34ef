# points: 3
# why: (기울기, Hv)를 모두 돌려줌
import jax
import jax.numpy as jnp
import numpy as np


def hvp(f, w, v):
    return jax.jvp(jax.grad(f), (w,), (v,))
