# points: 4
# why: 기울기를 더해 돌려줌
import jax
import jax.numpy as jnp
import numpy as np


def hvp(f, w, v):
    gradient, product = jax.jvp(jax.grad(f), (w,), (v,))
    return jax.tree.map(jnp.add, gradient, product)
