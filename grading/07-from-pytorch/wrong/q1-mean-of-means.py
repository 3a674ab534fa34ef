# points: 3
# why: 크기가 다른 배치의 평균을 같은 가중치로 평균함
import jax
import jax.numpy as jnp


def running_mean(state, x):
    count, mean = state
    if count > 0:
        mean = (mean + jnp.mean(x)) / 2
    else:
        mean = jnp.mean(x)
    return (count + x.size, mean), mean
