# points: 0
# why: 상태를 전역에 둠
import jax
import jax.numpy as jnp


_state = {"peak": jnp.float32(0), "worst": jnp.float32(0), "days": jnp.int32(0)}


def drawdown(state, price):
    peak = jnp.maximum(_state["peak"], price)
    drop = 1 - price / peak
    worst = jnp.maximum(_state["worst"], drop)
    _state.update(peak=peak, worst=worst, days=_state["days"] + 1)
    return dict(_state), drop
