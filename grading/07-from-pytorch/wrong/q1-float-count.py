# points: 3
# why: 개수의 dtype이 float32로 바뀌어 다음 스텝에서 다시 트레이싱함
import jax
import jax.numpy as jnp


def running_mean(state, x):
    count, mean = state
    total = count + jnp.float32(x.shape[0])
    mean = (count * mean + jnp.sum(x)) / total
    return (total, mean), mean
