# points: 6
# why: 장치 번호를 키에 섞음
import functools

import jax
import jax.numpy as jnp
import numpy as np


def sample_rows(key, rows, width, mesh):
    def draw(key):
        key = jax.random.fold_in(key, jax.lax.axis_index("data"))
        return jax.random.normal(key, (rows // mesh.shape["data"], width))

    return jax.jit(jax.shard_map(draw, mesh=mesh, in_specs=jax.P(), out_specs=jax.P("data")))(key)
