# points: 5
# why: h에서 기울기를 더함
import jax
import jax.numpy as jnp
import numpy as np


def translate(f, g, w, x):
    def loss(p):
        return f(p, x)

    def other(p):
        return g(p, x)

    return {
        "a": jax.grad(loss)(w),
        "b": jax.value_and_grad(loss)(w),
        "c": jax.grad(f, argnums=(0, 1))(w, x),
        "d": jax.grad(loss)(w) * other(w),
        "e": jax.grad(loss)(w) + jax.grad(other)(w),
        "f": jax.grad(lambda p: jnp.sum(jax.grad(loss)(p) ** 2))(w),
        "g": jax.vjp(lambda p: p**2 * x, w)[1](x)[0],
        "h": w + 0.1 * jax.grad(loss)(w),
    }
