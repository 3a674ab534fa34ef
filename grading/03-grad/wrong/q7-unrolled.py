# points: 6
# why: 백 번을 scan으로 펼침
import jax
import jax.numpy as jnp


def fixed_point(f, theta, start):
    return jax.lax.scan(lambda z, _: (f(theta, z), None), start, length=100)[0]
