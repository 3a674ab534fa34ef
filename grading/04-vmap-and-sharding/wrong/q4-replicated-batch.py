# points: 4
# why: 배치도 복제해 모두가 같은 계산을 함
import jax
from jax import NamedSharding, P


def data_parallel(step, mesh, params, x, y):
    replicated, by_batch = NamedSharding(mesh, P()), NamedSharding(mesh, P("data"))
    placed = (replicated, replicated, replicated)
    return jax.jit(step, in_shardings=placed, out_shardings=replicated)(params, x, y)
