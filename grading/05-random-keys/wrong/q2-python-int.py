# points: 5
# why: step을 파이썬 정수로 바꾸어 jit에서 멈춤
import jax
import jax.numpy as jnp


def dropout(key, layer, step, x, rate):
    key = jax.random.fold_in(jax.random.fold_in(key, int(layer)), int(step))
    keep = jax.random.bernoulli(key, 1 - rate, x.shape)
    return jnp.where(keep, x / (1 - rate), 0.0)
