# points: 5
# why: days가 늘지 않음
import jax
import jax.numpy as jnp


def drawdown(state, price):
    peak = jnp.maximum(state["peak"], price)
    drop = 1 - price / peak
    worst = jnp.maximum(state["worst"], drop)
    return {"peak": peak, "worst": worst, "days": state["days"]}, drop
