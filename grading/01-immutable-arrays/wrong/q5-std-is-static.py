# points: 1
# why: std를 정적으로 둠
import dataclasses

import jax
import jax.numpy as jnp
import numpy as np


def normalizer_class():
    @jax.tree_util.register_dataclass
    @dataclasses.dataclass
    class Normalizer:
        mean: jax.Array
        std: jax.Array = dataclasses.field(metadata={"static": True})
        limit: float | None = dataclasses.field(default=None, metadata={"static": True})

        def __call__(self, x):
            y = (x - self.mean) / self.std
            return y if self.limit is None else jnp.clip(y, -self.limit, self.limit)

    return Normalizer
