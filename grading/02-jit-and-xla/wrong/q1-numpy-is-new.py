# points: 3
# why: NumPy 배열을 다른 키로 봄
import functools

import jax
import jax.numpy as jnp
import numpy as np


def predict_traces():
    return [1, 1, 2, 3, 4, 5, 6, 7, 8, 8]
