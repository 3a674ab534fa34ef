# points: 7
# why: 위치마다 키를 나누지 않음
import functools

import jax
import jax.numpy as jnp
import numpy as np


def gumbel_softmax(key, logits, temperature, start):
    noise = jax.random.gumbel(jax.random.fold_in(key, start), logits.shape)
    return jax.nn.softmax((logits + noise) / temperature, axis=-1)
