# points: 3
# why: 거듭제곱이 한 스텝 늦음
import functools

import jax
import jax.numpy as jnp
import numpy as np


def debiased_average(xs, decay):
    def step(carry, x):
        average, weight = carry
        average = decay * average + (1 - decay) * x
        return (average, decay * weight), average / (1 - weight)

    start = (jnp.zeros(xs.shape[1:]), jnp.float32(1.0))
    return jax.lax.scan(step, start, xs)[1]
