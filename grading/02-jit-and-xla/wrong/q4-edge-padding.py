# points: 5
# why: 0이 아니라 마지막 값으로 채움
import functools

import jax
import jax.numpy as jnp
import numpy as np


def run_bucketed(compiled, sequence, buckets):
    length = len(sequence)
    size = next((b for b in buckets if b >= length), None)
    if size is None:
        raise ValueError("너무 깁니다")
    padded = np.pad(sequence, (0, size - length), mode="edge")
    return np.asarray(compiled(padded, np.arange(size) < length))[:length]
