# points: 0
# why: float()로 바꾸어 dtype이 float32 배열이 아님
import jax
import jax.numpy as jnp


def running_mean(state, x):
    count, mean = state
    total = count + len(x)
    mean = (count * mean + float(sum(x))) / total
    return (total, mean), mean
