# points: 5
# why: 두 번째 backward의 기울기만 돌려줌
import jax
import jax.numpy as jnp


def translate(f, g, w, x):
    slope = jax.grad(f)(w, x)
    return {
        "a": slope,
        "b": jax.value_and_grad(f)(w, x),
        "c": jax.grad(f, argnums=(0, 1))(w, x),
        "d": slope * g(w, x),
        "e": jax.grad(g)(w, x),
        "f": jax.grad(lambda w: jnp.sum(jax.grad(f)(w, x) ** 2))(w),
        "g": jax.vjp(lambda w: w**2 * x, w)[1](x)[0],
        "h": w - 0.1 * slope,
    }
