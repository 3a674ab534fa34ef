# points: 2
# why: 전역 난수와 반복문
import functools

import jax
import jax.numpy as jnp
import numpy as np


def bootstrap(key, statistic, x, draws):
    results = []
    for _ in range(draws):
        rows = np.random.randint(0, len(x), (len(x),))
        results.append(statistic(x[rows]))
    return jnp.stack(results)
