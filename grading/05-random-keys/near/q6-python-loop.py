# points: 8
# why: 토큰마다 파이썬 for
import functools

import jax
import jax.numpy as jnp
import numpy as np


def gumbel_softmax(key, logits, temperature, start):
    count, vocabulary = logits.shape
    positions = start + jnp.arange(count)
    keys = jax.vmap(jax.random.fold_in, in_axes=(None, 0))(key, positions)
    noise = jnp.stack([jax.random.gumbel(keys[i], (vocabulary,)) for i in range(count)])
    return jax.nn.softmax((logits + noise) / temperature, axis=-1)
