# points: 3
# why: 이름이 같으면 다시 쓴 것으로 봄
import functools

import jax
import jax.numpy as jnp
import numpy as np


def first_reuse():
    return {"a": 5, "b": 3, "c": 5, "d": 6, "e": 3, "f": 0}
