# points: 1
# why: 파이썬 반복문으로 돎
import jax.numpy as jnp


def translate(f, g, h, x, y, z, u, v, t):
    stack = jnp.stack
    return {
        "a": stack([f(row, v) for row in x]),
        "b": stack([f(v, row) for row in x]),
        "c": stack([f(p, q) for p, q in zip(x, y)]),
        "d": stack([f(column, u) for column in x.T]),
        "e": stack([g(row) for row in x], axis=1),
        "f": stack([g(column) for column in x.T], axis=1),
        "g": stack([stack([f(p, q) for q in z]) for p in x]),
        "h": stack([h({"scale": s, "shift": t["shift"]}, p) for s, p in zip(t["scale"], x)]),
    }
