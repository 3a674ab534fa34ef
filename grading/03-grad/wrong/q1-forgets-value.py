# points: 4
# why: 값을 빼먹고, 갱신의 부호를 바꿈
import jax
import jax.numpy as jnp


def translate(f, g, w, x):
    slope = jax.grad(f)(w, x)
    return {
        "a": slope,
        "b": slope,
        "c": jax.grad(f, argnums=(0, 1))(w, x),
        "d": slope * g(w, x),
        "e": slope + jax.grad(g)(w, x),
        "f": jax.grad(lambda w: jnp.sum(jax.grad(f)(w, x) ** 2))(w),
        "g": jax.vjp(lambda w: w**2 * x, w)[1](x)[0],
        "h": w + 0.1 * slope,
    }
