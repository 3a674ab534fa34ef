# 다른 방식: where와 마스크, one_hot, 손으로 등록한 파이트리, swap 대신 flip
from functools import partial

import jax
import jax.numpy as jnp


@jax.jit
def inplace_lines(x, rows, v):
    height, width = x.shape
    row, column = jnp.arange(height)[:, None], jnp.arange(width)[None, :]
    hits = jax.nn.one_hot(rows, height)
    return (
        jnp.where(row == 0, 7.0, x),
        x + 2.0 * (column == 1),
        jnp.where((row == 1) | (row == 2), 10.0 * x, x),
        x - 1.0 * ((row == 0) & (column == width - 1)),
        jnp.where((hits.sum(0) > 0)[:, None], 0.0, x),
        x + jnp.matmul(hits.T, v, precision="highest"),
        jnp.maximum(x, 0.0),
        jnp.minimum(jnp.maximum(x, -1.0), 1.0),
        x.at[2].set(jnp.exp(x[2])),
        jnp.concatenate([x[:-1], jnp.maximum(x[-1:], v[:1])]),
        jnp.concatenate([x[:2][::-1], x[2:]]),
        jnp.where(row == column, 0.0, x),
    )


def push(state, x):
    buffer, count = state
    size = len(buffer)
    buffer = jnp.where(jnp.arange(size) == count % size, x, buffer)
    order = (count + 1 + jnp.arange(size)) % size
    return (buffer, count + 1), buffer[order]


@partial(jax.jit, static_argnums=2)
def histogram(bins, weights, size):
    return jax.nn.one_hot(bins, size).T @ weights


def drawdown(state, price):
    def higher(_):
        return price

    peak = jax.lax.cond(price > state["peak"], higher, lambda peak: peak, state["peak"])
    drop = (peak - price) / peak
    new = dict(state)
    new.update(peak=peak, worst=jnp.where(drop > state["worst"], drop, state["worst"]))
    new["days"] += 1
    return new, drop


def normalizer_class():
    @jax.tree_util.register_pytree_node_class
    class Normalizer:
        def __init__(self, mean, std, limit=None):
            self.mean, self.std, self.limit = mean, std, limit

        def __call__(self, x):
            y = (x - self.mean) / self.std
            if self.limit is not None:
                y = jnp.minimum(jnp.maximum(y, -self.limit), self.limit)
            return y

        def tree_flatten(self):
            return (self.mean, self.std), self.limit

        @classmethod
        def tree_unflatten(cls, limit, leaves):
            return cls(*leaves, limit)

    return Normalizer


def track(refs, price):
    state, drop = drawdown({name: ref[...] for name, ref in refs.items()}, price)
    for name, value in state.items():
        refs[name][...] = value
    return drop


def predict_dtypes():
    torch = "int64 float32 uint8 int64 float16 bfloat16 bfloat16 int16 int64 float64"
    ours = "int32 float32 uint8 int32 float16 float32 float32 int16 int32 float32"
    return [list(pair) for pair in zip(torch.split(), ours.split())]
