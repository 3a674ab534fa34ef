# points: 3
# why: 값이 바뀐 마지막 호출을 새 키로 봄
import functools

import jax
import jax.numpy as jnp
import numpy as np


def predict_traces():
    return [1, 1, 1, 2, 3, 4, 5, 6, 7, 8]
