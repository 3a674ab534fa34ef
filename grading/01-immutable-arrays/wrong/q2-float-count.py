# points: 3
# why: count가 float32로 바뀌어 scan이 멈추고 다시 트레이싱함
import jax
import jax.numpy as jnp


def push(state, x):
    buffer, count = state
    size = buffer.shape[0]
    buffer = buffer.at[count % size].set(x)
    count = count + 1.0
    return (buffer, count), jnp.roll(buffer, -(count % size).astype(int))
