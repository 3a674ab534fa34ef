# points: 5
# why: limit이 0이면 자르지 않음
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
            y = (x - self.mean) / self.std
            return jnp.clip(y, -self.limit, self.limit) if self.limit else y

    return Normalizer
