# points: 3
# why: 행렬곱이라고 여기고 손으로 셈
import functools

import jax
import jax.numpy as jnp
import numpy as np


def cost_report(function, *arguments):
    n, m = arguments[0].shape
    flops, moved = 2.0 * n * n * m, 4.0 * (2 * n * m + n * n)
    return {"flops": flops, "bytes": moved, "intensity": flops / moved}
