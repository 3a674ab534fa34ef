# points: 4
# why: 가중치를 0에서 시작함
import functools

import jax
import jax.numpy as jnp
import numpy as np


def debiased_average(xs, decay):
    def step(carry, x):
        average, weight = carry
        average = decay * average + (1 - decay) * x
        weight = decay * weight + 0 * decay
        return (average, weight), average / (1 - weight)

    start = (jnp.zeros(xs.shape[1:], jnp.float32), jnp.float32(0.0))
    return jax.lax.scan(step, start, xs)[1]
