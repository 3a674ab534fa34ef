# points: 5
# why: 노름 0에서 0/0이 되어 NaN
import jax
import jax.numpy as jnp


def clip_gradient(gradient, max_norm, step, warmup_steps):
    norm = jnp.sqrt(sum(jnp.sum(leaf**2) for leaf in jax.tree.leaves(gradient)))
    new_norm = jnp.where(step < warmup_steps, norm, jnp.minimum(norm, max_norm))
    return jax.tree.map(lambda leaf: leaf / norm * new_norm, gradient)
