# points: 4
# why: 나눗셈 쪽 step의 기울기를 막음
import jax
import jax.numpy as jnp


def quantize(x, step, low, high):
    scaled = jnp.clip(x / jax.lax.stop_gradient(step), low, high)
    return (scaled + jax.lax.stop_gradient(jnp.round(scaled) - scaled)) * step
