# points: 4
# why: 한 줄로 편 배열을 돌려줌
import jax
import jax.numpy as jnp
import numpy as np


def hvp(f, w, v):
    product = jax.jvp(jax.grad(f), (w,), (v,))[1]
    return jnp.concatenate([leaf.ravel() for leaf in jax.tree.leaves(product)])
