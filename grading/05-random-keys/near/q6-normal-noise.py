# points: 8
# why: 검벨 대신 정규 잡음
import functools

import jax
import jax.numpy as jnp
import numpy as np


def gumbel_softmax(key, logits, temperature, start):
    count, vocabulary = logits.shape
    positions = start + jnp.arange(count)
    keys = jax.vmap(jax.random.fold_in, in_axes=(None, 0))(key, positions)
    noise = jax.vmap(lambda key: jax.random.normal(key, (vocabulary,)))(keys)
    return jax.nn.softmax((logits + noise) / temperature, axis=-1)
