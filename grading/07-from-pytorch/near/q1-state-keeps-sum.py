# points: 4
# why: 상태에 평균 대신 합을 둠
import jax
import jax.numpy as jnp
import numpy as np
from jax import export


def running_mean(state, x):
    count, mean = state
    total = count + x.shape[0]
    new_mean = mean + (jnp.sum(x) - x.shape[0] * mean) / total
    return (total, new_mean * total), new_mean
