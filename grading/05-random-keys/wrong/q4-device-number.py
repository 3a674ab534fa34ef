# points: 6
# why: 장치 번호를 섞어 장치 수가 바뀌면 값도 바뀜
import functools

import jax


def sample_rows(key, rows, width, mesh):
    @functools.partial(
        jax.shard_map, mesh=mesh, in_specs=jax.P(), out_specs=jax.P("data")
    )
    def draw(key):
        key = jax.random.fold_in(key, jax.lax.axis_index("data"))
        return jax.random.normal(key, (rows // mesh.size, width))

    return draw(key)
