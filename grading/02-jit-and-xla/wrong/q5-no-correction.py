# points: 4
# why: 치우침을 바로잡지 않음
import functools

import jax
import jax.numpy as jnp
import numpy as np


def debiased_average(xs, decay):
    def step(average, x):
        average = decay * average + (1 - decay) * x
        return average, average

    return jax.lax.scan(step, jnp.zeros(xs.shape[1:]), xs)[1]
