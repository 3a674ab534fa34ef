# points: 0
# why: 클래스처럼 대입함
import dataclasses

import jax
import jax.numpy as jnp
import numpy as np


def track(refs, price):
    if price > refs["peak"]:
        refs["peak"] = price
    drop = 1 - price / refs["peak"]
    refs["worst"] = jnp.maximum(refs["worst"], drop)
    refs["days"] += 1
    return drop
