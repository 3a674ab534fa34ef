# points: 3
# why: 이름으로 넘긴 인자를 같은 키로 봄
import functools

import jax
import jax.numpy as jnp
import numpy as np


def predict_traces():
    return [1, 1, 1, 2, 3, 4, 4, 5, 6, 6]
