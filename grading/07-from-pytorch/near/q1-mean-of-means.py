# points: 5
# why: 배치의 평균을 다시 평균함
import jax
import jax.numpy as jnp
import numpy as np
from jax import export


def running_mean(state, x):
    count, mean = state
    total = count + x.shape[0]
    new_mean = jnp.where(count == 0, jnp.mean(x), (mean + jnp.mean(x)) / 2)
    return (total, new_mean), new_mean
