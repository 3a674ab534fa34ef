# points: 1
# why: 밖에 둔 옵티마이저처럼 씀
import jax
import jax.numpy as jnp
import numpy as np
from jax import export


def train_step(state, x, y):
    loss = jnp.mean((x @ state["params"]["w"] + state["params"]["b"] - y) ** 2)
    return state, loss
