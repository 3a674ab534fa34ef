# points: 1
# why: 전역에 최고가를 둠
import dataclasses

import jax
import jax.numpy as jnp
import numpy as np


best = [0.0]


def drawdown(state, price):
    best[0] = jnp.maximum(best[0], price)
    drop = 1 - price / best[0]
    worst = jnp.maximum(state["worst"], drop)
    return {"peak": best[0], "worst": worst, "days": state["days"] + 1}, drop
