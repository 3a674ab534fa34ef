# points: 5
# why: 위쪽만 자름
import dataclasses

import jax
import jax.numpy as jnp


def normalizer_class():
    @jax.tree_util.register_dataclass
    @dataclasses.dataclass
    class Normalizer:
        mean: jax.Array
        std: jax.Array
        limit: float | None = dataclasses.field(default=None, metadata={"static": True})

        def __call__(self, x):
            y = (x - self.mean) / self.std
            return y if self.limit is None else jnp.minimum(y, self.limit)

    return Normalizer
