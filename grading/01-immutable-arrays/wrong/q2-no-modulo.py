# points: 4
# why: 버퍼의 끝을 넘어선 쓰기가 버려짐
import jax
import jax.numpy as jnp


def push(state, x):
    buffer, count = state
    size = buffer.shape[0]
    buffer = buffer.at[count].set(x)
    count = count + 1
    return (buffer, count), jnp.roll(buffer, -(count % size))
