# points: 5
# why: 들어온 딕셔너리를 고쳐서 돌려줌
import jax
import jax.numpy as jnp


def drawdown(state, price):
    state["peak"] = jnp.maximum(state["peak"], price)
    drop = 1 - price / state["peak"]
    state["worst"] = jnp.maximum(state["worst"], drop)
    state["days"] = state["days"] + 1
    return state, drop
