# points: 4
# why: 반올림 대신 내림
import jax
import jax.numpy as jnp
import numpy as np


def quantize(x, step, low, high):
    scaled = jnp.clip(x / step, low, high)
    rounded = scaled + jax.lax.stop_gradient(jnp.floor(scaled) - scaled)
    return rounded * step
