# points: 5
# why: 옛 최고가로 낙폭을 구함
import dataclasses

import jax
import jax.numpy as jnp
import numpy as np


def drawdown(state, price):
    peak = jnp.maximum(state["peak"], price)
    drop = 1 - price / jnp.maximum(state["peak"], 1e-9)
    worst = jnp.maximum(state["worst"], drop)
    return {"peak": peak, "worst": worst, "days": state["days"] + 1}, drop
