# points: 0
# why: 혼자서만 시작함
import jax
import jax.numpy as jnp
import numpy as np


def standardize(address, index, rows):
    jax.distributed.initialize(address, num_processes=1, process_id=0)
    mine = np.asarray(rows, np.float32)
    deviation = jnp.std(mine, axis=0)
    deviation = np.asarray(jnp.where(deviation == 0, 1.0, deviation))
    return (mine - mine.mean(0)) / deviation, mine.mean(0)
