# points: 1
# why: 적힌 코드 그대로
import functools

import jax
import jax.numpy as jnp
import numpy as np


def run_bucketed(compiled, sequence, buckets):
    mask = np.ones(len(sequence), bool)
    return compiled(sequence, mask)
