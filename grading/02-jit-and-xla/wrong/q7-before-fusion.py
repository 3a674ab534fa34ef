# points: 3
# why: 컴파일하기 전의 비용을 물음
import functools

import jax
import jax.numpy as jnp
import numpy as np


def cost_report(function, *arguments):
    cost = jax.jit(function).lower(*arguments).cost_analysis()
    flops, moved = float(cost.get("flops", 0.0)), float(cost["bytes accessed"])
    return {"flops": flops, "bytes": moved, "intensity": flops / moved}
