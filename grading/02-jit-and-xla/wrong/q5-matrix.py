# points: 5
# why: n × n 행렬로 계산함
import functools

import jax
import jax.numpy as jnp
import numpy as np


def debiased_average(xs, decay):
    n = xs.shape[0]
    lag = jnp.arange(n)[:, None] - jnp.arange(n)[None]
    weights = jnp.where(lag >= 0, (1 - decay) * decay ** jnp.maximum(lag, 0), 0.0)
    weights = weights / (1 - decay ** (jnp.arange(n) + 1.0))[:, None]
    return jnp.tensordot(weights, xs, 1)
