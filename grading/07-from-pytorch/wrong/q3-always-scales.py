# points: 4
# why: 작은 기울기도 max_norm까지 키움
import jax
import jax.numpy as jnp


def clip_gradient(gradient, max_norm, step, warmup_steps):
    norm = jnp.sqrt(sum(jnp.sum(leaf**2) for leaf in jax.tree.leaves(gradient)))
    scale = jnp.where(step < warmup_steps, 1.0, max_norm / norm)
    return jax.tree.map(lambda leaf: leaf * scale, gradient)
