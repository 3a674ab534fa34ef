# points: 1
# why: 적힌 코드를 jnp로만 바꿈
import functools

import jax
import jax.numpy as jnp
import numpy as np


def debiased_average(xs, decay):
    average, history = jnp.zeros(xs.shape[1:]), []
    for step, x in enumerate(xs):
        average = decay * average + (1 - decay) * x
        history.append(average / (1 - decay ** (step + 1)))
    return jnp.stack(history)
