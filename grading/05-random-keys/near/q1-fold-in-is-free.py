# points: 3
# why: split한 부모에 fold_in해도 된다고 봄
import functools

import jax
import jax.numpy as jnp
import numpy as np


def first_reuse():
    return {"a": 5, "b": 0, "c": 0, "d": 6, "e": 3, "f": 0}
