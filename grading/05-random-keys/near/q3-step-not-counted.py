# points: 6
# why: step을 늘리지 않음
import functools

import jax
import jax.numpy as jnp
import numpy as np


def train(state, x, y, steps):
    def one_step(state, _):
        key = jax.random.fold_in(jax.random.wrap_key_data(state["key"]), state["step"])
        rows = jax.random.randint(key, (8,), 0, len(x))
        loss, gradient = jax.value_and_grad(
            lambda w: jnp.mean((x[rows] @ w - y[rows]) ** 2)
        )(state["w"])
        velocity = 0.9 * state["velocity"] + gradient
        new = {"w": state["w"] - 0.05 * velocity, "velocity": velocity}
        return {**state, **new, "step": state["step"]}, loss

    return jax.lax.scan(one_step, state, length=steps)
