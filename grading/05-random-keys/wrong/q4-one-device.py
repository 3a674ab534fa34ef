# points: 5
# why: 나누지 않고 장치 하나에 둠
import jax


def sample_rows(key, rows, width, mesh):
    return jax.random.normal(key, (rows, width))
