# points: 1
# why: 이름만 옮겨 기본값이 모두 어긋남
import jax
import jax.numpy as jnp


def translate(t):
    centered = t - t.mean(axis=1, keepdims=True)
    return {
        "a": t.std(axis=0, ddof=0),
        "b": jnp.median(t),
        "c": t.max(axis=1),
        "d": jnp.repeat(t, 2),
        "e": jnp.repeat(t, 2, axis=0),
        "f": jax.nn.gelu(t, approximate=True),
        "g": centered / jnp.sqrt(t.var(axis=1, keepdims=True) + 1e-6),
        "h": t[0].at[1].add(3.0),
        "i": jnp.where(t > 0, -1.0, t),
        "j": jnp.pad(t, ((0, 0), (1, 0))),
        "k": (jax.nn.logsumexp(t, axis=1) - t[:, 0]).mean(),
        "l": -t.mean(),
    }
