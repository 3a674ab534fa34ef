# points: 1
# why: 클래스를 등록하지 않음
import dataclasses

import jax
import jax.numpy as jnp


def normalizer_class():
    @dataclasses.dataclass
    class Normalizer:
        mean: jax.Array
        std: jax.Array
        limit: float | None = None

        def __call__(self, x):
            y = (x - self.mean) / self.std
            return y if self.limit is None else jnp.clip(y, -self.limit, self.limit)

    return Normalizer
