# points: 5
# why: 낙폭의 부호가 거꾸로
import dataclasses

import jax
import jax.numpy as jnp
import numpy as np


def drawdown(state, price):
    peak = jnp.maximum(state["peak"], price)
    drop = price / peak - 1
    worst = jnp.maximum(state["worst"], -drop)
    return {"peak": peak, "worst": worst, "days": state["days"] + 1}, drop
