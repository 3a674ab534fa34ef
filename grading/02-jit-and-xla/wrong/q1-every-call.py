# points: 2
# why: 부를 때마다 트레이싱한다고 봄
import functools

import jax
import jax.numpy as jnp
import numpy as np


def predict_traces():
    return list(range(1, 11))
