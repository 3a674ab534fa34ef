# points: 5
# why: 고치기 전의 최고가로 낙폭을 구함
import jax
import jax.numpy as jnp


def drawdown(state, price):
    peak = jnp.maximum(state["peak"], price)
    drop = 1 - price / state["peak"]
    worst = jnp.maximum(state["worst"], drop)
    return {"peak": peak, "worst": worst, "days": state["days"] + 1}, drop
