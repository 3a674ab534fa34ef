# points: 7
# why: 살아남은 값을 키우지 않음
import jax
import jax.numpy as jnp


def dropout(key, layer, step, x, rate):
    key = jax.random.fold_in(jax.random.fold_in(key, layer), step)
    keep = jax.random.bernoulli(key, 1 - rate, x.shape)
    return jnp.where(keep, x, 0.0)
