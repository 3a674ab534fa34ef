# points: 3
# why: count가 실수
import jax
import jax.numpy as jnp
import numpy as np
from jax import export


def running_mean(state, x):
    count, mean = state
    total = count + x.shape[0]
    new_mean = mean + (jnp.sum(x) - x.shape[0] * mean) / total
    return (jnp.asarray(total, jnp.float32), new_mean), new_mean
