# points: 5
# why: 표준편차가 0인 특징을 0으로 나눔
import jax
import jax.numpy as jnp
import numpy as np
from jax import NamedSharding, P
from jax.sharding import AxisType


def standardize(address, index, rows):
    jax.distributed.initialize(address, num_processes=2, process_id=index)
    mesh = jax.make_mesh((jax.device_count(),), ("data",), axis_types=(AxisType.Auto,))
    by_row, replicated = NamedSharding(mesh, P("data")), NamedSharding(mesh, P())
    mine = np.asarray(rows, np.float32)
    everything = jax.make_array_from_process_local_data(by_row, mine)

    def statistics(x):
        deviation = x.std(axis=0)
        return x.mean(axis=0), deviation

    mean, deviation = jax.jit(statistics, out_shardings=replicated)(everything)
    mean, deviation = np.asarray(mean), np.asarray(deviation)
    return (mine - mean) / deviation, mean
