# points: 7
# why: 잎의 dtype을 되돌리지 않음
import jax
import jax.numpy as jnp
import numpy as np
from jax import export


def clip_gradient(gradient, max_norm, step, warmup_steps):
    leaves = [leaf.astype(jnp.float32) for leaf in jax.tree.leaves(gradient)]
    total = sum(jnp.sum(leaf**2) for leaf in leaves)
    norm = jnp.sqrt(jnp.where(total > 0, total, 1.0))
    scale = jnp.where(total > max_norm**2, max_norm / norm, 1.0)
    scale = jnp.where(step < warmup_steps, 1.0, scale)
    return jax.tree.map(lambda leaf: leaf * scale, gradient)
