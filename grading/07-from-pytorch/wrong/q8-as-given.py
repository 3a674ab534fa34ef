# points: 1
# why: 그대로 돌려줌
import jax
import jax.numpy as jnp
import numpy as np
from jax import export


def reverse_gradient(x, strength):
    return x
