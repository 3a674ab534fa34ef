# points: 4
# why: step의 기울기를 막음
import jax
import jax.numpy as jnp


def quantize(x, step, low, high):
    step = jax.lax.stop_gradient(step)
    scaled = jnp.clip(x / step, low, high)
    return (scaled + jax.lax.stop_gradient(jnp.round(scaled) - scaled)) * step
