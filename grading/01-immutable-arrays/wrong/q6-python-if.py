# points: 5
# why: if로 가름
import dataclasses

import jax
import jax.numpy as jnp
import numpy as np


def track(refs, price):
    if price > refs["peak"][...]:
        refs["peak"][...] = price
    drop = 1 - price / refs["peak"][...]
    refs["worst"][...] = jnp.maximum(refs["worst"][...], drop)
    refs["days"][...] += 1
    return drop
