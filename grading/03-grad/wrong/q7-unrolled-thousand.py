# points: 7
# why: 천 번을 scan으로 펼침
import jax
import jax.numpy as jnp


def fixed_point(f, theta, start):
    start = jax.lax.stop_gradient(start)
    return jax.lax.scan(lambda z, _: (f(theta, z), None), start, length=1000)[0]
