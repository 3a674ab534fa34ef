# points: 4
# why: decay와 1 - decay를 바꿈
import functools

import jax
import jax.numpy as jnp
import numpy as np


def debiased_average(xs, decay):
    def step(carry, x):
        average, weight = carry
        average = (1 - decay) * average + decay * x
        weight = decay * weight
        return (average, weight), average / (1 - weight)

    start = (jnp.zeros(xs.shape[1:], jnp.float32), jnp.float32(1.0))
    return jax.lax.scan(step, start, xs)[1]
