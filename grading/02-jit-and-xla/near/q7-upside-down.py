# points: 3
# why: 산술 강도를 뒤집어 적음
import functools

import jax
import jax.numpy as jnp
import numpy as np


def cost_report(function, *arguments):
    cost = jax.jit(function).lower(*arguments).compile().cost_analysis()
    flops = float(cost.get("flops", 0.0))
    moved = float(cost.get("bytes accessed", 0.0))
    return {"flops": flops, "bytes": moved, "intensity": moved / max(flops, 1.0)}
