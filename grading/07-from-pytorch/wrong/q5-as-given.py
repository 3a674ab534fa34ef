# points: 0
# why: 그대로 돌려줌
import jax
import jax.numpy as jnp
import numpy as np
from jax import export


def convert_weights(kind, weights, heads):
    return weights
