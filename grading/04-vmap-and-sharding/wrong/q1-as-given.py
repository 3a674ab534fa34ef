# points: 1
# why: 적힌 반복문 그대로
import functools

import jax
import jax.numpy as jnp
import numpy as np
from jax import NamedSharding, P
from jax.sharding import AxisType


def translate(f, g, h, x, y, z, u, v, t):
    return {
        "a": jnp.stack([f(row, v) for row in x]),
        "b": jnp.stack([f(v, row) for row in x]),
        "c": jnp.stack([f(p, q) for p, q in zip(x, y)]),
        "d": jnp.stack([f(column, u) for column in x.T]),
        "e": jnp.stack([g(row) for row in x], axis=1),
        "f": jnp.stack([g(column) for column in x.T], axis=1),
        "g": jnp.stack([jnp.stack([f(p, q) for q in z]) for p in x]),
        "h": jnp.stack([h({"scale": s, "shift": t["shift"]}, p) for s, p in zip(t["scale"], x)]),
    }
