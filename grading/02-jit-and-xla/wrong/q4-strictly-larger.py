# points: 5
# why: 길이가 딱 맞는 크기를 쓰지 않음
import functools

import jax
import jax.numpy as jnp
import numpy as np


def run_bucketed(compiled, sequence, buckets):
    length = len(sequence)
    size = next((b for b in buckets if b > length), buckets[-1])
    padded = np.zeros(size, np.float32)
    padded[:length] = sequence
    return np.asarray(compiled(padded, np.arange(size) < length))[:length]
