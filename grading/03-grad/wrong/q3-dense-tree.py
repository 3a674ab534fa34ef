# points: 4
# why: 파이트리에서도 헤세 행렬을 만듦
import jax
import jax.numpy as jnp
import numpy as np
import jax.flatten_util


def hvp(f, w, v):
    flat, back = jax.flatten_util.ravel_pytree(w)
    other = jax.flatten_util.ravel_pytree(v)[0]
    return back(jax.hessian(lambda p: f(back(p)))(flat) @ other)
