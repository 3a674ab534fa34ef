# points: 3
# why: int()가 jit과 scan에서 멈춤
import jax
import jax.numpy as jnp


def push(state, x):
    buffer, count = state[0], int(state[1])
    size = buffer.shape[0]
    buffer = buffer.at[count % size].set(x)
    count = count + 1
    return (buffer, count), jnp.roll(buffer, -(count % size))
