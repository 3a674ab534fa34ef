# points: 5
# why: 음수 번호를 뒤에서 셈
import dataclasses

import jax
import jax.numpy as jnp
import numpy as np


def histogram(bins, weights, size):
    slot = jnp.zeros(size).at[bins]
    return slot.add(weights, mode="drop")
