# points: 1
# why: 이름만 옮김
import jax
import jax.numpy as jnp
import numpy as np
from jax import export


def translate(t):
    return {
        "a": t.std(axis=0),
        "b": jnp.median(t),
        "c": t.max(axis=1),
        "d": t.repeat(2, 1),
        "e": jnp.repeat(t, 2, axis=0),
        "f": jax.nn.gelu(t),
        "g": jax.nn.standardize(t, axis=-1, epsilon=1e-5),
        "h": t[0].at[jnp.array([1, 1])].add(jnp.array([1.0, 2.0])),
        "i": jnp.where(t > 0, -1.0, t),
        "j": jnp.pad(t, (1, 0)),
        "k": jnp.mean(jax.nn.logsumexp(t, axis=1) - t[:, 0]),
        "l": jnp.mean(-t),
    }
