# points: 5
# why: 한꺼번에 계산함
import jax
import jax.numpy as jnp
import numpy as np


def accumulate(losses, params, x, y, weight, pieces):
    def loss(p):
        return jnp.sum(weight * losses(p, x, y)) / jnp.sum(weight)

    return jax.value_and_grad(loss)(params)
