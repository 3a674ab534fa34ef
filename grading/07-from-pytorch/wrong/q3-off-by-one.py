# points: 5
# why: 워밍업을 한 스텝 더 함
import jax
import jax.numpy as jnp


def clip_gradient(gradient, max_norm, step, warmup_steps):
    norm = jnp.sqrt(sum(jnp.sum(leaf**2) for leaf in jax.tree.leaves(gradient)))
    scale = jnp.minimum(1.0, max_norm / jnp.maximum(norm, 1e-9))
    scale = jnp.where(step <= warmup_steps, 1.0, scale)
    return jax.tree.map(lambda leaf: leaf * scale, gradient)
