# points: 5
# why: 전체 노름이 아니라 잎마다 자름
import jax
import jax.numpy as jnp


def clip_gradient(gradient, max_norm, step, warmup_steps):
    def clip(leaf):
        norm = jnp.sqrt(jnp.sum(leaf**2))
        scale = jnp.minimum(1.0, max_norm / jnp.maximum(norm, 1e-9))
        return jnp.where(step < warmup_steps, leaf, leaf * scale)

    return jax.tree.map(clip, gradient)
