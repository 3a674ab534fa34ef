# points: 5
# why: 넣기 전의 count로 돌림
import jax
import jax.numpy as jnp


def push(state, x):
    buffer, count = state
    size = buffer.shape[0]
    buffer = buffer.at[count % size].set(x)
    return (buffer, count + 1), jnp.roll(buffer, -(count % size))
