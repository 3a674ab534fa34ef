# points: 3
# why: 배열 하나만 받음
import jax
import jax.numpy as jnp


def hvp(f, w, v):
    return jax.grad(lambda w: jnp.sum(jax.grad(f)(w) * v))(w)
