# points: 5
# why: worst에 마지막 낙폭을 둠
import dataclasses

import jax
import jax.numpy as jnp
import numpy as np


def drawdown(state, price):
    peak = jnp.maximum(state["peak"], price)
    drop = 1 - price / peak
    worst = drop
    return {"peak": peak, "worst": worst, "days": state["days"] + 1}, drop
