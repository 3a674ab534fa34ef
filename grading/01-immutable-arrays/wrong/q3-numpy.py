# points: 4
# why: NumPy로 계산해서 트레이싱하지 못함
import numpy as np
import jax
import jax.numpy as jnp


def histogram(bins, weights, size):
    out = np.zeros(size, np.float32)
    for b, weight in zip(np.asarray(bins), np.asarray(weights)):
        if 0 <= b < size:
            out[b] += weight
    return jnp.array(out)
