# points: 2
# why: 키 하나로 뽑음
import functools

import jax
import jax.numpy as jnp
import numpy as np


def gumbel_softmax(key, logits, temperature, start):
    noise = -jnp.log(-jnp.log(jax.random.uniform(key, logits.shape)))
    return jax.nn.softmax((logits + noise) / temperature, axis=-1)
