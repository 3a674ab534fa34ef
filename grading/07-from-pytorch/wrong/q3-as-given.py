# points: 1
# why: 적힌 코드를 jnp로만 바꿈
import jax
import jax.numpy as jnp
import numpy as np
from jax import export


def clip_gradient(gradient, max_norm, step, warmup_steps):
    if step < warmup_steps:
        return gradient
    norm = jnp.sqrt(sum((g**2).sum() for g in gradient.values()))
    if norm > max_norm:
        return {name: g * (max_norm / norm) for name, g in gradient.items()}
    return gradient
