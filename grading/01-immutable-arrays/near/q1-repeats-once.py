# points: 5
# why: 겹친 행을 한 번만 더함
import dataclasses

import jax
import jax.numpy as jnp
import numpy as np


def inplace_lines(x, rows, v):
    diagonal = jnp.arange(x.shape[0])
    return [
        x.at[0].set(7.0),
        x.at[:, 1].add(2.0),
        x.at[1:3].multiply(10.0),
        x.at[0, -1].subtract(1.0),
        x.at[rows].set(0.0),
        x.at[rows].set(x[rows] + v),
        jnp.where(x < 0, 0.0, x),
        jnp.clip(x, -1.0, 1.0),
        x.at[2].apply(jnp.exp),
        x.at[-1].max(v[0]),
        x.at[jnp.array([0, 1])].set(x[jnp.array([1, 0])]),
        x.at[diagonal, diagonal].set(0.0),
    ]
