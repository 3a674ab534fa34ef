# points: 5
# why: 언제나 가장 큰 크기로 채움
import functools

import jax
import jax.numpy as jnp
import numpy as np


def run_bucketed(compiled, sequence, buckets):
    length, size = len(sequence), buckets[-1]
    if length > size:
        raise ValueError("너무 깁니다")
    padded = np.pad(sequence, (0, size - length))
    return np.asarray(compiled(padded, np.arange(size) < length))[:length]
