# points: 5
# why: 마스크가 bool이 아니라 정수
import functools

import jax
import jax.numpy as jnp
import numpy as np


def run_bucketed(compiled, sequence, buckets):
    length = len(sequence)
    size = next((bucket for bucket in buckets if bucket >= length), None)
    if size is None:
        raise ValueError("가장 큰 크기보다 깁니다")
    padded = np.zeros(size, np.float32)
    padded[:length] = sequence
    result = compiled(padded, (np.arange(size) < length).astype(np.int32))
    return np.asarray(result)[:length]
