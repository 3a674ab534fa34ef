# points: 5
# why: 가장 큰 낙폭 대신 마지막 낙폭을 담음
import jax
import jax.numpy as jnp


def drawdown(state, price):
    peak = jnp.maximum(state["peak"], price)
    drop = 1 - price / peak
    worst = drop
    return {"peak": peak, "worst": worst, "days": state["days"] + 1}, drop
