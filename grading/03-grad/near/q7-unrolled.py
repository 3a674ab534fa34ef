# points: 7
# why: 1,000번을 scan으로 펼쳐 미분함
import jax
import jax.numpy as jnp
import numpy as np


def fixed_point(f, theta, start):
    start = jax.lax.stop_gradient(start)
    return jax.lax.scan(lambda z, _: (f(theta, z), None), start, length=1000)[0]
