# points: 5
# why: 옛 최고가로 낙폭을 구함
import dataclasses

import jax
import jax.numpy as jnp
import numpy as np


def track(refs, price):
    old = refs["peak"][...]
    refs["peak"][...] = jnp.maximum(old, price)
    drop = 1 - price / jnp.maximum(old, 1e-9)
    refs["worst"][...] = jnp.maximum(refs["worst"][...], drop)
    refs["days"][...] += 1
    return drop
