# points: 3
# why: days가 실수
import dataclasses

import jax
import jax.numpy as jnp
import numpy as np


def drawdown(state, price):
    peak = jnp.maximum(state["peak"], price)
    drop = 1 - price / peak
    worst = jnp.maximum(state["worst"], drop)
    return {"peak": peak, "worst": worst, "days": state["days"] + 1.0}, drop
