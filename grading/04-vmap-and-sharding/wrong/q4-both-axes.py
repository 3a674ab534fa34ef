# points: 6
# why: 메시의 모든 축으로 배치를 나눔
import jax
from jax import NamedSharding, P


def data_parallel(step, mesh, params, x, y):
    replicated, by_batch = NamedSharding(mesh, P()), NamedSharding(mesh, P(mesh.axis_names))
    placed = (replicated, by_batch, by_batch)
    return jax.jit(step, in_shardings=placed, out_shardings=replicated)(params, x, y)
