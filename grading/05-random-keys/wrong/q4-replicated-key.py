# points: 2
# why: 모든 장치가 같은 키로 뽑음
import functools

import jax


def sample_rows(key, rows, width, mesh):
    @functools.partial(
        jax.shard_map, mesh=mesh, in_specs=jax.P(), out_specs=jax.P("data")
    )
    def draw(key):
        return jax.random.normal(key, (rows // mesh.size, width))

    return draw(key)
