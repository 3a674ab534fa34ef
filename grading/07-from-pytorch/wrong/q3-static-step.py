# points: 2
# why: step을 정적 인자로 만들어 스텝마다 트레이싱함
from functools import partial

import jax
import jax.numpy as jnp


@partial(jax.jit, static_argnames=("step", "warmup_steps"))
def clip_gradient(gradient, max_norm, step, warmup_steps):
    if step < warmup_steps:
        return gradient
    norm = jnp.sqrt(sum(jnp.sum(leaf**2) for leaf in jax.tree.leaves(gradient)))
    scale = jnp.minimum(1.0, max_norm / jnp.maximum(norm, 1e-9))
    return jax.tree.map(lambda leaf: leaf * scale, gradient)
