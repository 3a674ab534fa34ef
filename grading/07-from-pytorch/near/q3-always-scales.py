# points: 7
# why: 늘 max_norm으로 맞춤
import jax
import jax.numpy as jnp
import numpy as np
from jax import export


def clip_gradient(gradient, max_norm, step, warmup_steps):
    leaves = [leaf.astype(jnp.float32) for leaf in jax.tree.leaves(gradient)]
    total = sum(jnp.sum(leaf**2) for leaf in leaves)
    norm = jnp.sqrt(jnp.where(total > 0, total, 1.0))
    scale = max_norm / norm
    scale = jnp.where(step < warmup_steps, 1.0, scale)
    return jax.tree.map(lambda leaf: (leaf * scale).astype(leaf.dtype), gradient)
