# points: 3
# why: 범위 밖에서도 기울기 1
import jax
import jax.numpy as jnp


def quantize(x, step, low, high):
    hard = jnp.clip(jnp.round(x / step), low, high) * step
    return x + jax.lax.stop_gradient(hard - x)
