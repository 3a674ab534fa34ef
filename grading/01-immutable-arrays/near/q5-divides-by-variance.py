# points: 5
# why: 분산으로 나눔
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
        limit: float | None = dataclasses.field(default=None, metadata={"static": True})

        def __call__(self, x):
            y = (x - self.mean) / self.std**2
            return y if self.limit is None else jnp.clip(y, -self.limit, self.limit)

    return Normalizer
