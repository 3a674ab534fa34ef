# points: 5
# why: 미분 규칙을 적지 않음
import jax
import jax.numpy as jnp
import numpy as np


def fixed_point(f, theta, start):
    return jax.lax.while_loop(
        lambda s: (jnp.max(jnp.abs(s[0] - s[1])) > 1e-6) & (s[2] < 1000),
        lambda s: (f(theta, s[0]), s[0], s[2] + 1),
        (f(theta, start), start, 1),
    )[0]
