# points: 5
# why: d에서 행을 돎
import functools

import jax
import jax.numpy as jnp
import numpy as np
from jax import NamedSharding, P
from jax.sharding import AxisType


def _scalars(f, x, y, z, u, v):
    rows = jax.vmap(f, in_axes=(None, 0))
    return {
        "a": jax.vmap(f, in_axes=(0, None))(x, v),
        "b": rows(v, x),
        "c": jax.vmap(f)(x, y),
        "d": jax.vmap(f, in_axes=(1, None))(x, u)[::-1],
        "g": jax.vmap(rows, in_axes=(0, None))(x, z),
    }


def translate(f, g, h, x, y, z, u, v, t):
    answers = _scalars(f, x, y, z, u, v)
    answers["e"] = jax.vmap(g, out_axes=1)(x)
    answers["f"] = jax.vmap(g, in_axes=1, out_axes=1)(x)
    answers["h"] = jax.vmap(h, in_axes=({"scale": 0, "shift": None}, 0))(t, x)
    return answers
