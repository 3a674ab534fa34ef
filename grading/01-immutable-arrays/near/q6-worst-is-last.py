# points: 5
# why: worst에 마지막 낙폭
import dataclasses

import jax
import jax.numpy as jnp
import numpy as np


def track(refs, price):
    refs["peak"][...] = jnp.maximum(refs["peak"][...], price)
    drop = 1 - price / refs["peak"][...]
    refs["worst"][...] = drop
    refs["days"][...] += 1
    return drop
