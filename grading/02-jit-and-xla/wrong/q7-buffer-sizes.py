# points: 4
# why: 인자와 결과의 크기로 바이트를 셈
import functools

import jax
import jax.numpy as jnp
import numpy as np


def cost_report(function, *arguments):
    compiled = jax.jit(function).lower(*arguments).compile()
    flops = float(compiled.cost_analysis().get("flops", 0.0))
    memory = compiled.memory_analysis()
    moved = float(memory.argument_size_in_bytes + memory.output_size_in_bytes)
    return {"flops": flops, "bytes": moved, "intensity": flops / max(moved, 1.0)}
