# points: 4
# why: 반올림이 아니라 내림
import jax
import jax.numpy as jnp


def quantize(x, step, low, high):
    scaled = jnp.clip(x / step, low, high)
    return (scaled + jax.lax.stop_gradient(jnp.floor(scaled) - scaled)) * step
