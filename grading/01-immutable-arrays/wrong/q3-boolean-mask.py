# points: 1
# why: 마스크로 골라내서 jit 안에서 멈춤
import jax
import jax.numpy as jnp


def histogram(bins, weights, size):
    inside = (bins >= 0) & (bins < size)
    return jnp.zeros(size).at[bins[inside]].add(weights[inside])
