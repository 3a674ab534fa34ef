# points: 4
# why: backward에 준 벡터를 쓰지 않음
import jax
import jax.numpy as jnp


def translate(f, g, w, x):
    slope = jax.grad(f)(w, x)
    return {
        "a": slope,
        "b": jax.value_and_grad(f)(w, x),
        "c": jax.grad(f, argnums=(0, 1))(w, x),
        "d": slope * g(w, x),
        "e": slope + jax.grad(g)(w, x),
        "f": jax.grad(lambda w: jnp.sum(jax.grad(f)(w, x) ** 2))(w),
        "g": jax.grad(lambda w: jnp.sum(w**2 * x))(w),
        "h": 0.1 * slope,
    }
