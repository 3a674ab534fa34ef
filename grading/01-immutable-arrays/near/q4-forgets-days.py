# points: 5
# why: days를 늘리지 않음
import dataclasses

import jax
import jax.numpy as jnp
import numpy as np


def drawdown(state, price):
    peak = jnp.maximum(state["peak"], price)
    drop = 1 - price / peak
    worst = jnp.maximum(state["worst"], drop)
    return {"peak": peak, "worst": worst, "days": state["days"]}, drop
