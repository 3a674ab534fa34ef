# points: 5
# why: 모멘텀을 매번 처음부터 쌓음
import jax
import jax.numpy as jnp


def train_step(state, x, y):
    def loss_of(params):
        return jnp.mean((x @ params["w"] + params["b"] - y) ** 2)

    params, step = state["params"], state["step"]
    loss, gradient = jax.value_and_grad(loss_of)(params)
    learning_rate = 0.1 * jnp.minimum(1.0, (step + 1) / 5)
    momentum = jax.tree.map(
        lambda m, g, p: 0.0 * m + g + 0.01 * p, state["momentum"], gradient, params
    )
    params = jax.tree.map(lambda p, m: p - learning_rate * m, params, momentum)
    return {"params": params, "momentum": momentum, "step": step + 1}, loss
