# points: 0
# why: 칸을 밀어서 창은 맞지만 buffer의 자리가 다름
import jax
import jax.numpy as jnp


def push(state, x):
    buffer, count = state
    buffer = jnp.concatenate([buffer[1:], jnp.reshape(x, 1)])
    return (buffer, count + 1), buffer
