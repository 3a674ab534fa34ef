# points: 4
# why: 첫 값에서 시작함
import functools

import jax
import jax.numpy as jnp
import numpy as np


def debiased_average(xs, decay):
    def step(carry, x):
        average, weight = carry
        average = decay * average + (1 - decay) * x
        weight = decay * weight
        return (average, weight), average / (1 - weight)

    start = (xs[0], jnp.float32(1.0))
    return jax.lax.scan(step, start, xs)[1]
