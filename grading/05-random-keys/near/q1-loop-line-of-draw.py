# points: 3
# why: 반복문에서 뽑는 줄을 적음
import functools

import jax
import jax.numpy as jnp
import numpy as np


def first_reuse():
    return {"a": 5, "b": 0, "c": 5, "d": 6, "e": 4, "f": 0}
