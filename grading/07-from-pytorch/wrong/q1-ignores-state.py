# points: 1
# why: 배치의 평균만 돌려줌
import jax
import jax.numpy as jnp


def running_mean(state, x):
    return (x.shape[0], jnp.mean(x)), jnp.mean(x)
