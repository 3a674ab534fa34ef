# points: 4
# why: 연산이 없는 함수에서 KeyError
import functools

import jax
import jax.numpy as jnp
import numpy as np


def cost_report(function, *arguments):
    cost = jax.jit(function).lower(*arguments).compile().cost_analysis()
    flops = float(cost["flops"])
    moved = float(cost.get("bytes accessed", 0.0))
    return {"flops": flops, "bytes": moved, "intensity": flops / max(moved, 1.0)}
