# points: 4
# why: 감쇠를 파라미터에서 바로 뺌
import jax
import jax.numpy as jnp
import numpy as np
from jax import export


def train_step(state, x, y):
    def loss_of(params):
        return jnp.mean((x @ params["w"] + params["b"] - y) ** 2)

    params, step = state["params"], state["step"]
    loss, gradient = jax.value_and_grad(loss_of)(params)
    learning_rate = 0.1 * jnp.minimum(1.0, (step + 1) / 5)
    momentum = jax.tree.map(
        lambda m, g, p: 0.9 * m + g + 0 * p, state["momentum"], gradient, params
    )
    params = jax.tree.map(lambda p, m: p - learning_rate * (m + 0.01 * p), params, momentum)
    return {"params": params, "momentum": momentum, "step": step + 1}, loss
