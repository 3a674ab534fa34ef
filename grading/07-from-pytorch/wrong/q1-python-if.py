# points: 4
# why: 상태로 if를 갈라 jit과 scan에서 멈춤
import jax
import jax.numpy as jnp


def running_mean(state, x):
    count, mean = state
    if count == 0:
        new_mean = jnp.mean(x)
    else:
        new_mean = (count * mean + jnp.sum(x)) / (count + x.shape[0])
    return (count + x.shape[0], new_mean), new_mean
