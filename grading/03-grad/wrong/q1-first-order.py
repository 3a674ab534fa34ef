# points: 5
# why: 기울기의 제곱합을 다시 미분하지 않음
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
        "f": 2 * slope,
        "g": jax.vjp(lambda w: w**2 * x, w)[1](x)[0],
        "h": w - 0.1 * slope,
    }
