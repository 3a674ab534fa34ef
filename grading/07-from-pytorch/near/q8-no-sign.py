# points: 4
# why: 부호를 바꾸지 않음
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
        return strength * slope, jnp.zeros_like(strength)

    reverse.defvjp(forward, backward)
    return reverse(x, strength)
