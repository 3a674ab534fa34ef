# points: 4
# why: strength의 기울기가 0이 아님
import jax
import jax.numpy as jnp
import numpy as np
from jax import export


def reverse_gradient(x, strength):
    @jax.custom_vjp
    def reverse(x, strength):
        return x

    def forward(x, strength):
        return x, strength

    def backward(strength, slope):
        return -strength * slope, jnp.sum(slope)

    reverse.defvjp(forward, backward)
    return reverse(x, strength)
