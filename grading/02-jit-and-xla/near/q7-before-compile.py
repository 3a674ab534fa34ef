# points: 4
# why: compile을 빠뜨려 융합되기 전의 비용을 읽음
import functools

import jax
import jax.numpy as jnp
import numpy as np


def cost_report(function, *arguments):
    cost = jax.jit(function).lower(*arguments).cost_analysis()
    flops = float(cost.get("flops", 0.0))
    moved = float(cost.get("bytes accessed", 0.0))
    return {"flops": flops, "bytes": moved, "intensity": flops / max(moved, 1.0)}
