# points: 2
# why: 장치마다 시드를 더함
import functools

import jax
import jax.numpy as jnp
import numpy as np


def sample_rows(key, rows, width, mesh):
    count = mesh.shape["data"]
    parts = [jax.random.normal(jax.random.key(rank), (rows // count, width)) for rank in range(count)]
    return jax.device_put(jnp.concatenate(parts), jax.NamedSharding(mesh, jax.P("data")))
