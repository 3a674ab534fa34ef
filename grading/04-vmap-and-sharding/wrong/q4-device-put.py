# points: 4
# why: jit 안에서 나뉘지 않는 device_put만 씀
import jax
from jax import NamedSharding, P


def data_parallel(step, mesh, params, x, y):
    params = jax.device_put(params, NamedSharding(mesh, P()))
    x, y = jax.device_put((x, y), NamedSharding(mesh, P("data")))
    return jax.jit(step)(params, x, y)
