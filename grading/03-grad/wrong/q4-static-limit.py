# points: 3
# why: limit을 파이썬 수로 바꾸어 vmap에서 멈춤
import jax
import jax.numpy as jnp


def clipped_loss(prediction, target, limit):
    limit = float(limit)
    error = prediction - target
    surrogate = jnp.sum(jax.lax.stop_gradient(jnp.clip(error, -limit, limit)) * error)
    return surrogate + jax.lax.stop_gradient(0.5 * jnp.sum(error**2) - surrogate)
