# points: 5
# why: g까지 미분함
import jax
import jax.numpy as jnp


def translate(f, g, w, x):
    slope = jax.grad(f)(w, x)
    return {
        "a": slope,
        "b": jax.value_and_grad(f)(w, x),
        "c": jax.grad(f, argnums=(0, 1))(w, x),
        "d": jax.grad(lambda w: f(w, x) * g(w, x))(w),
        "e": slope + jax.grad(g)(w, x),
        "f": jax.grad(lambda w: jnp.sum(jax.grad(f)(w, x) ** 2))(w),
        "g": jax.vjp(lambda w: w**2 * x, w)[1](x)[0],
        "h": w - 0.1 * slope,
    }
