# points: 1
# why: 나누지 않음
import jax


def data_parallel(step, mesh, params, x, y):
    return jax.jit(step)(params, x, y)
