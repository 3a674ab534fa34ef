# points: 4
# why: 치우침을 바로잡지 않음
import functools

import jax
import jax.numpy as jnp
import numpy as np


def debiased_average(xs, decay):
    def step(carry, x):
        average, weight = carry
        average = decay * average + (1 - decay) * x
        weight = decay * weight
        return (average, weight), average

    start = (jnp.zeros(xs.shape[1:], jnp.float32), jnp.float32(1.0))
    return jax.lax.scan(step, start, xs)[1]
