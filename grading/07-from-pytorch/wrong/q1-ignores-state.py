# points: 3
# why: 배치만 봄
import jax
import jax.numpy as jnp
import numpy as np
from jax import export


def running_mean(state, x):
    return (jnp.int32(state[0]) + x.size, jnp.mean(x)), jnp.mean(x)
