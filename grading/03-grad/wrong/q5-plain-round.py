# points: 1
# why: round의 기울기가 0
import jax
import jax.numpy as jnp


def quantize(x, step, low, high):
    return jnp.clip(jnp.round(x / step), low, high) * step
