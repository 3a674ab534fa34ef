# points: 4
# why: 범위 밖에도 기울기 1
import jax
import jax.numpy as jnp
import numpy as np


def quantize(x, step, low, high):
    scaled = x / step
    rounded = scaled + jax.lax.stop_gradient(jnp.clip(jnp.round(scaled), low, high) - scaled)
    return rounded * step
