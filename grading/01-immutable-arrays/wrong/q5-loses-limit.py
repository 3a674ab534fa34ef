# points: 3
# why: 다시 만들 때 limit을 잃음
import dataclasses

import jax
import jax.numpy as jnp
import numpy as np


def normalizer_class():
    @jax.tree_util.register_pytree_node_class
    class Normalizer:
        def __init__(self, mean, std, limit=None):
            self.mean, self.std, self.limit = mean, std, limit

        def __call__(self, x):
            y = (x - self.mean) / self.std
            return y if self.limit is None else jnp.clip(y, -self.limit, self.limit)

        def tree_flatten(self):
            return (self.mean, self.std), None

        @classmethod
        def tree_unflatten(cls, _, leaves):
            return cls(*leaves)

    return Normalizer
