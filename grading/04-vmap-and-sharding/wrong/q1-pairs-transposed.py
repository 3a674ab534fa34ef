# points: 5
# why: 모든 쌍의 두 축을 바꿈
import jax
import jax.numpy as jnp


def translate(f, g, h, x, y, z, u, v, t):
    answers = {}
    answers["a"] = jax.vmap(f, in_axes=(0, None))(x, v)
    answers["b"] = jax.vmap(f, in_axes=(None, 0))(v, x)
    answers["c"] = jax.vmap(f)(x, y)
    answers["d"] = jax.vmap(f, in_axes=(1, None))(x, u)
    answers["e"] = jax.vmap(g, out_axes=1)(x)
    answers["f"] = jax.vmap(g, in_axes=1, out_axes=1)(x)
    rows = jax.vmap(f, in_axes=(None, 0))
    answers["g"] = jax.vmap(rows, in_axes=(0, None), out_axes=1)(x, z)
    answers["h"] = jax.vmap(h, in_axes=({"scale": 0, "shift": None}, 0))(t, x)
    return answers
