# points: 3
# why: 산술 강도를 거꾸로 나눔
import functools

import jax
import jax.numpy as jnp
import numpy as np


def cost_report(function, *arguments):
    cost = jax.jit(function).lower(*arguments).compile().cost_analysis()
    flops, moved = float(cost.get("flops", 0.0)), float(cost["bytes accessed"])
    return {"flops": flops, "bytes": moved, "intensity": moved / max(flops, 1.0)}
