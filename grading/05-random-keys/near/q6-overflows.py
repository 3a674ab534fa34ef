# points: 8
# why: 지수를 그대로 씀
import functools

import jax
import jax.numpy as jnp
import numpy as np


def gumbel_softmax(key, logits, temperature, start):
    count, vocabulary = logits.shape
    positions = start + jnp.arange(count)
    keys = jax.vmap(jax.random.fold_in, in_axes=(None, 0))(key, positions)
    noise = jax.vmap(lambda key: jax.random.gumbel(key, (vocabulary,)))(keys)
    return (lambda e: e / e.sum(-1, keepdims=True))(jnp.exp((logits + noise) / temperature))
