# points: 1
# why: if로 가르고 딕셔너리를 고침
import dataclasses

import jax
import jax.numpy as jnp
import numpy as np


def drawdown(state, price):
    if price > state["peak"]:
        state["peak"] = price
    drop = 1 - price / state["peak"]
    state["worst"] = jnp.maximum(state["worst"], drop)
    state["days"] += 1
    return state, drop
