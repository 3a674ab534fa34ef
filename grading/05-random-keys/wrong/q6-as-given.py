# points: 2
# why: 전역 난수
import functools

import jax
import jax.numpy as jnp
import numpy as np


def gumbel_softmax(key, logits, temperature, start):
    noise = -jnp.log(-jnp.log(np.random.rand(*logits.shape)))
    return jax.nn.softmax((logits + noise) / temperature, axis=-1)
