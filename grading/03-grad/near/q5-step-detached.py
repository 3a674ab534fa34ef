# points: 4
# why: step을 미분하지 않음
import jax
import jax.numpy as jnp
import numpy as np


def quantize(x, step, low, high):
    step = jax.lax.stop_gradient(step)
    scaled = jnp.clip(x / step, low, high)
    rounded = scaled + jax.lax.stop_gradient(jnp.round(scaled) - scaled)
    return rounded * step
