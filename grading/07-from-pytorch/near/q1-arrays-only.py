# points: 5
# why: 파이썬 수에서 시작하지 못함
import jax
import jax.numpy as jnp
import numpy as np
from jax import export


def running_mean(state, x):
    count, mean = state
    mean = mean.astype(jnp.float32)
    total = count + x.shape[0]
    new_mean = mean + (jnp.sum(x) - x.shape[0] * mean) / total
    return (total, new_mean), new_mean
