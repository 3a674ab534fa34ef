# points: 6
# why: 층과 스텝의 합만 섞음
import jax
import jax.numpy as jnp


def dropout(key, layer, step, x, rate):
    key = jax.random.fold_in(key, layer + step)
    keep = jax.random.bernoulli(key, 1 - rate, x.shape)
    return jnp.where(keep, x / (1 - rate), 0.0)
