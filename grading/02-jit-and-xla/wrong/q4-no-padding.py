# points: 1
# why: 채우지 않아 길이마다 컴파일함
import functools

import jax
import jax.numpy as jnp
import numpy as np


def run_bucketed(compiled, sequence, buckets):
    return compiled(sequence, np.ones(len(sequence), bool))
