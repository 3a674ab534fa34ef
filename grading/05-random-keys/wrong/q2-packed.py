# points: 6
# why: 스텝이 1,000을 넘으면 다음 층과 겹침
import jax
import jax.numpy as jnp


def dropout(key, layer, step, x, rate):
    key = jax.random.fold_in(key, layer * 1000 + step)
    keep = jax.random.bernoulli(key, 1 - rate, x.shape)
    return jnp.where(keep, x / (1 - rate), 0.0)
