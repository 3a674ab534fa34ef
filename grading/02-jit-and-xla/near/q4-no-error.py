# points: 5
# why: 가장 큰 크기보다 길 때를 막지 않음
import functools

import jax
import jax.numpy as jnp
import numpy as np


def run_bucketed(compiled, sequence, buckets):
    length = len(sequence)
    size = next((bucket for bucket in buckets if bucket >= length), None)
    size = size or buckets[-1]
    padded = np.zeros(size, np.float32)
    padded[:length] = sequence[:size]
    result = compiled(padded, np.arange(size) < length)
    return np.asarray(result)[:length]
