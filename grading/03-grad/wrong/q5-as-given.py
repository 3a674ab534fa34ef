# points: 1
# why: 적힌 코드를 jnp로만 바꿈
import jax
import jax.numpy as jnp
import numpy as np


def quantize(x, step, low, high):
    return jnp.clip(jnp.round(x / step), low, high) * step
