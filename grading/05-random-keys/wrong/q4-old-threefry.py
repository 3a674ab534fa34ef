# points: 6
# why: 예전 방식의 threefry라 장치끼리 주고받음
import functools

import jax


def sample_rows(key, rows, width, mesh):
    by_rows = jax.NamedSharding(mesh, jax.P("data"))
    with jax.threefry_partitionable(False):
        draw = functools.partial(jax.random.normal, shape=(rows, width))
        return jax.jit(draw, out_shardings=by_rows)(key)
