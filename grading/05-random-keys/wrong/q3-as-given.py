# points: 2
# why: 전역 난수로 뽑는 반복문
import functools

import jax
import jax.numpy as jnp
import numpy as np


def train(state, x, y, steps):
    w, velocity, losses = state["w"], state["velocity"], []
    for _ in range(steps):
        rows = np.random.randint(0, len(x), (8,))
        loss, gradient = jax.value_and_grad(lambda w: jnp.mean((x[rows] @ w - y[rows]) ** 2))(w)
        velocity = 0.9 * velocity + gradient
        w = w - 0.05 * velocity
        losses.append(loss)
    return {**state, "w": w, "velocity": velocity, "step": state["step"] + steps}, jnp.stack(losses)
