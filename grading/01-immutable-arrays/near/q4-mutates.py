# points: 5
# why: 들어온 딕셔너리를 고침
import dataclasses

import jax
import jax.numpy as jnp
import numpy as np


def drawdown(state, price):
    peak = jnp.maximum(state["peak"], price)
    drop = 1 - price / peak
    worst = jnp.maximum(state["worst"], drop)
    state.update(peak=peak, worst=worst, days=state["days"] + 1)
    return state, drop
