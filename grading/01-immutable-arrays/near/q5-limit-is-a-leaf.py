# points: 4
# why: limit을 정적으로 두지 않음
import dataclasses

import jax
import jax.numpy as jnp
import numpy as np


def normalizer_class():
    @jax.tree_util.register_dataclass
    @dataclasses.dataclass
    class Normalizer:
        mean: jax.Array
        std: jax.Array
        limit: float | None = None

        def __call__(self, x):
            y = (x - self.mean) / self.std
            return y if self.limit is None else jnp.clip(y, -self.limit, self.limit)

    return Normalizer
