# points: 5
# why: 나누지 않음
import jax
import jax.numpy as jnp


def sharded_cross_entropy(mesh, logits, labels):
    picked = jnp.take_along_axis(logits, labels[:, None], axis=1)[:, 0]
    return jnp.mean(jax.nn.logsumexp(logits, axis=1) - picked)
