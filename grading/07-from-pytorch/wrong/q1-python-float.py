# points: 4
# why: 파이썬 수로 계산함
import jax
import jax.numpy as jnp
import numpy as np
from jax import export


def running_mean(state, x):
    count, mean = int(state[0]), float(state[1])
    total = count + x.size
    mean = mean + float((np.asarray(x) - mean).sum()) / total
    return (jnp.int32(total), jnp.float32(mean)), jnp.float32(mean)
