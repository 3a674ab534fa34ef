# points: 4
# why: 함수를 실행함
import functools

import jax
import jax.numpy as jnp
import numpy as np


def cost_report(function, *arguments):
    function(*[jnp.zeros(a.shape, a.dtype) for a in arguments])
    cost = jax.jit(function).lower(*arguments).compile().cost_analysis()
    flops = float(cost.get("flops", 0.0))
    moved = float(cost.get("bytes accessed", 0.0))
    return {"flops": flops, "bytes": moved, "intensity": flops / max(moved, 1.0)}
