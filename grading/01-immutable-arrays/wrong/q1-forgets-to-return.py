# points: 2
# why: .at의 결과를 받지 않고 x를 돌려줌
import jax
import jax.numpy as jnp


def inplace_lines(x, rows, v):
    x.at[0].set(7.0)
    x.at[:, 1].add(2.0)
    x.at[1:3].multiply(10.0)
    return [x] * 12
