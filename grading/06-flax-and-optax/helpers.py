# 채점자의 프로세스에서 도는 코드: 문제가 정한 키에서 나오는 배치와 잡음
import jax
import jax.numpy as jnp
import numpy as np
from sklearn.datasets import load_digits


def batches(key, size, steps):
    """문제 4의 스텝마다 고른 행."""
    return jnp.stack(
        [
            jax.random.choice(jax.random.fold_in(key, step), size, (8,), replace=False)
            for step in range(steps)
        ]
    )


def noises(x, steps):
    """문제 6의 스텝마다 더할 잡음."""
    key, found = jax.random.key(0), []
    for _ in range(steps):
        key, subkey = jax.random.split(key)
        found.append(jax.random.normal(subkey, x.shape))
    return jnp.stack(found)


def digits():
    """문제 8의 그림과 숫자."""
    found = load_digits()
    return (found.data / 16).astype(np.float32), found.target.astype(np.int32)
