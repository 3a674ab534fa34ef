# 문제의 힌트를 그대로 따른 답
import dataclasses

import jax
import jax.numpy as jnp


def inplace_lines(x, rows, v):
    diagonal = jnp.arange(x.shape[0])
    return [
        x.at[0].set(7.0),
        x.at[:, 1].add(2.0),
        x.at[1:3].multiply(10.0),
        x.at[0, -1].subtract(1.0),
        x.at[rows].set(0.0),
        x.at[rows].add(v),
        jnp.where(x < 0, 0.0, x),
        jnp.clip(x, -1.0, 1.0),
        x.at[2].apply(jnp.exp),
        x.at[-1].max(v[0]),
        x.at[jnp.array([0, 1])].set(x[jnp.array([1, 0])]),
        x.at[diagonal, diagonal].set(0.0),
    ]


def push(state, x):
    buffer, count = state
    size = buffer.shape[0]
    buffer = buffer.at[count % size].set(x)
    count = count + 1
    return (buffer, count), jnp.roll(buffer, -(count % size))


def histogram(bins, weights, size):
    slot = jnp.zeros(size).at[bins]
    return slot.add(weights, mode="drop", wrap_negative_indices=False)


def drawdown(state, price):
    peak = jnp.maximum(state["peak"], price)
    drop = 1 - price / peak
    worst = jnp.maximum(state["worst"], drop)
    return {"peak": peak, "worst": worst, "days": state["days"] + 1}, drop


def normalizer_class():
    @jax.tree_util.register_dataclass
    @dataclasses.dataclass
    class Normalizer:
        mean: jax.Array
        std: jax.Array
        limit: float | None = dataclasses.field(default=None, metadata={"static": True})

        def __call__(self, x):
            y = (x - self.mean) / self.std
            return y if self.limit is None else jnp.clip(y, -self.limit, self.limit)

    return Normalizer


def track(refs, price):
    refs["peak"][...] = jnp.maximum(refs["peak"][...], price)
    drop = 1 - price / refs["peak"][...]
    refs["worst"][...] = jnp.maximum(refs["worst"][...], drop)
    refs["days"][...] += 1
    return drop


def predict_dtypes():
    return [
        ("int64", "int32"),
        ("float32", "float32"),
        ("uint8", "uint8"),
        ("int64", "int32"),
        ("float16", "float16"),
        ("bfloat16", "float32"),
        ("bfloat16", "float32"),
        ("int16", "int16"),
        ("int64", "int32"),
        ("float64", "float32"),
    ]
