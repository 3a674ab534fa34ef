# points: 7
# why: 잎마다 자름
import jax
import jax.numpy as jnp
import numpy as np
from jax import export


def clip_gradient(gradient, max_norm, step, warmup_steps):
    def clip(leaf):
        total = jnp.sum(leaf.astype(jnp.float32) ** 2)
        long = (total > max_norm**2) & (step >= warmup_steps)
        scale = jnp.where(long, max_norm / jnp.sqrt(jnp.where(long, total, 1.0)), 1.0)
        return (leaf * scale).astype(leaf.dtype)

    return jax.tree.map(clip, gradient)
