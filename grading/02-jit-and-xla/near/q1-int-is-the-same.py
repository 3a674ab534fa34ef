# points: 3
# why: 파이썬 정수와 실수를 같은 키로 봄
import functools

import jax
import jax.numpy as jnp
import numpy as np


def predict_traces():
    return [1, 1, 1, 2, 2, 3, 4, 5, 6, 6]
