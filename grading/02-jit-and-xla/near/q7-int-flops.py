# points: 4
# why: 정수로 돌려줌
import functools

import jax
import jax.numpy as jnp
import numpy as np


def cost_report(function, *arguments):
    cost = jax.jit(function).lower(*arguments).compile().cost_analysis()
    flops = int(cost.get("flops", 0.0))
    moved = float(cost.get("bytes accessed", 0.0))
    return {"flops": flops, "bytes": moved, "intensity": flops / max(moved, 1.0)}
