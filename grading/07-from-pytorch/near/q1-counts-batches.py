# points: 3
# why: 배치의 수를 셈
import jax
import jax.numpy as jnp
import numpy as np
from jax import export


def running_mean(state, x):
    count, mean = state
    total = count + 1
    new_mean = mean + (jnp.sum(x) - x.shape[0] * mean) / total
    return (total, new_mean), new_mean
