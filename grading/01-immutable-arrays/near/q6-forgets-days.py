# points: 5
# why: days를 늘리지 않음
import dataclasses

import jax
import jax.numpy as jnp
import numpy as np


def track(refs, price):
    refs["peak"][...] = jnp.maximum(refs["peak"][...], price)
    drop = 1 - price / refs["peak"][...]
    refs["worst"][...] = jnp.maximum(refs["worst"][...], drop)
    return drop
