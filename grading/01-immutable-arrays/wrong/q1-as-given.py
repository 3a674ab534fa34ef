# points: 0
# why: 제자리 대입
import dataclasses

import jax
import jax.numpy as jnp
import numpy as np


def inplace_lines(x, rows, v):
    x[0] = 7.0
    return [x]
