# points: 5
# why: 이월값이 스칼라여서 나머지 축이 있으면 멈춤
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

    return jax.lax.scan(step, (jnp.float32(0.0), jnp.float32(1.0)), xs)[1]
