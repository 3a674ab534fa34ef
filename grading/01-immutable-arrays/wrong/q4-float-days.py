# points: 3
# why: days가 float32로 바뀌어 scan이 멈춤
import jax
import jax.numpy as jnp


def drawdown(state, price):
    peak = jnp.maximum(state["peak"], price)
    drop = 1 - price / peak
    worst = jnp.maximum(state["worst"], drop)
    return {"peak": peak, "worst": worst, "days": state["days"] + 1.0}, drop
