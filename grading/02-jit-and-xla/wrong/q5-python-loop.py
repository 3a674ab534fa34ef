# points: 1
# why: 파이썬 반복문이 펼쳐짐
import functools

import jax
import jax.numpy as jnp
import numpy as np


def debiased_average(xs, decay):
    average, history = jnp.zeros(xs.shape[1:]), []
    for step in range(len(xs)):
        average = decay * average + (1 - decay) * xs[step]
        history.append(average / (1 - decay ** (step + 1)))
    return jnp.stack(history)
