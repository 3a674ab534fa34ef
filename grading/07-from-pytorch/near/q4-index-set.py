# points: 5
# why: 겹친 인덱스를 하나만 더함
import jax
import jax.numpy as jnp
import numpy as np
from jax import export


def translate(t):
    centered = t - t.mean(axis=1, keepdims=True)
    return {
        "a": t.std(axis=0, ddof=1),
        "b": jnp.sort(t.ravel())[(t.size - 1) // 2],
        "c": t.max(axis=1),
        "d": jnp.tile(t, (2, 1)),
        "e": jnp.repeat(t, 2, axis=0),
        "f": jax.nn.gelu(t, approximate=False),
        "g": centered / jnp.sqrt(t.var(axis=1, keepdims=True) + 1e-5),
        "h": t[0].at[1].add(2.0),
        "i": jnp.where(t > 0, -1.0, t),
        "j": jnp.pad(t, ((0, 0), (1, 0))),
        "k": (jax.nn.logsumexp(t, axis=1) - t[:, 0]).mean(),
        "l": -t.sum() / len(t),
    }
