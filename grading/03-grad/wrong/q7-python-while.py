# points: 1
# why: 파이썬 while이라 jit과 grad에서 멈춤
import jax
import jax.numpy as jnp


def fixed_point(f, theta, start):
    z, new = start, f(theta, start)
    while float(jnp.max(jnp.abs(new - z))) > 1e-6:
        z, new = new, f(theta, new)
    return new
