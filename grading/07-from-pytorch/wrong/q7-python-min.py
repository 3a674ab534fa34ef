# points: 4
# why: 파이썬 min
import jax
import jax.numpy as jnp
import numpy as np
from jax import export


def train_step(state, x, y):
    def loss_of(params):
        return jnp.mean((x @ params["w"] + params["b"] - y) ** 2)

    params, step = state["params"], state["step"]
    loss, gradient = jax.value_and_grad(loss_of)(params)
    learning_rate = 0.1 * min(1.0, (int(step) + 1) / 5)
    momentum = jax.tree.map(
        lambda m, g, p: 0.9 * m + g + 0.01 * p, state["momentum"], gradient, params
    )
    params = jax.tree.map(lambda p, m: p - learning_rate * m, params, momentum)
    return {"params": params, "momentum": momentum, "step": step + 1}, loss
