# points: 2
# why: if로 가름
import dataclasses

import jax
import jax.numpy as jnp
import numpy as np


def drawdown(state, price):
    peak = price if price > state["peak"] else state["peak"]
    drop = 1 - price / peak
    worst = jnp.maximum(state["worst"], drop)
    return {"peak": peak, "worst": worst, "days": state["days"] + 1}, drop
