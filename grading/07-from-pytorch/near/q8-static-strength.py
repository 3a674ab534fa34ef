# points: 3
# why: strength를 정적으로
import jax
import jax.numpy as jnp
import numpy as np
from jax import export


import functools


@functools.partial(jax.custom_vjp, nondiff_argnums=(1,))
def reverse_gradient(x, strength):
    return x


def forward(x, strength):
    return x, None


def backward(strength, saved, slope):
    return (-strength * slope,)


reverse_gradient.defvjp(forward, backward)
