# points: 3
# why: 값에 따른 if가 jit에서 멈춤
import jax
import jax.numpy as jnp


def drawdown(state, price):
    peak = price if price > state["peak"] else state["peak"]
    drop = 1 - price / peak
    worst = jnp.maximum(state["worst"], drop)
    return {"peak": peak, "worst": worst, "days": state["days"] + 1}, drop
