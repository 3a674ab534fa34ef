# points: 3
# why: bytes를 bytes accessed라는 이름으로 돌려줌
import functools

import jax
import jax.numpy as jnp
import numpy as np


def cost_report(function, *arguments):
    cost = jax.jit(function).lower(*arguments).compile().cost_analysis()
    flops = float(cost.get("flops", 0.0))
    moved = float(cost.get("bytes accessed", 0.0))
    return {"flops": flops, "bytes accessed": moved, "intensity": flops / max(moved, 1.0)}
