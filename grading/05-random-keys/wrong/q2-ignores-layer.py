# points: 5
# why: 층을 섞지 않음
import jax
import jax.numpy as jnp


def dropout(key, layer, step, x, rate):
    key = jax.random.fold_in(key, step)
    keep = jax.random.bernoulli(key, 1 - rate, x.shape)
    return jnp.where(keep, x / (1 - rate), 0.0)
