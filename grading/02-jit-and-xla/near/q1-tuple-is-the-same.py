# points: 3
# why: 튜플로 감싼 배열을 같은 키로 봄
import functools

import jax
import jax.numpy as jnp
import numpy as np


def predict_traces():
    return [1, 1, 1, 2, 3, 4, 5, 5, 6, 6]
