# points: 2
# why: step과 노름으로 if를 갈라 jit에서 멈춤
import jax
import jax.numpy as jnp


def clip_gradient(gradient, max_norm, step, warmup_steps):
    if step < warmup_steps:
        return gradient
    norm = jnp.sqrt(sum(jnp.sum(leaf**2) for leaf in jax.tree.leaves(gradient)))
    if norm > max_norm:
        return jax.tree.map(lambda leaf: leaf * max_norm / norm, gradient)
    return gradient
