# points: 4
# why: step의 기울기가 곱에서만 나옴
import jax
import jax.numpy as jnp
import numpy as np


def quantize(x, step, low, high):
    scaled = jnp.clip(x / jax.lax.stop_gradient(step), low, high)
    rounded = scaled + jax.lax.stop_gradient(jnp.round(scaled) - scaled)
    return rounded * step
