# points: 5
# why: 잎의 순서가 std, mean
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
            return (self.std, self.mean), self.limit

        @classmethod
        def tree_unflatten(cls, limit, leaves):
            return cls(leaves[1], leaves[0], limit)

    return Normalizer
