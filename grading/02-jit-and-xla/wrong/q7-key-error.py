# points: 4
# why: 연산이 없으면 flops라는 이름이 없음
import functools

import jax
import jax.numpy as jnp
import numpy as np


def cost_report(function, *arguments):
    cost = jax.jit(function).lower(*arguments).compile().cost_analysis()
    flops, moved = cost["flops"], cost["bytes accessed"]
    return {"flops": flops, "bytes": moved, "intensity": flops / moved}
