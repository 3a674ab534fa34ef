# points: 4
# why: 채운 자리를 떼지 않음
import functools

import jax
import jax.numpy as jnp
import numpy as np


def run_bucketed(compiled, sequence, buckets):
    size = next(b for b in buckets if b >= len(sequence))
    padded = np.pad(sequence, (0, size - len(sequence)))
    return compiled(padded, np.arange(size) < len(sequence))
