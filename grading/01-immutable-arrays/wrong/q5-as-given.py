# points: 1
# why: 등록하지 않은 클래스
import dataclasses

import jax
import jax.numpy as jnp
import numpy as np


def normalizer_class():
    class Normalizer:
        def __init__(self, mean, std, limit=None):
            self.mean, self.std, self.limit = mean, std, limit

        def __call__(self, x):
            y = (x - self.mean) / self.std
            if self.limit is not None:
                y = jnp.clip(y, -self.limit, self.limit)
            return y

    return Normalizer
