# points: 5
# why: drop 대신 worst 상자의 값을 돌려줌
import dataclasses

import jax
import jax.numpy as jnp
import numpy as np


def track(refs, price):
    refs["peak"][...] = jnp.maximum(refs["peak"][...], price)
    drop = 1 - price / refs["peak"][...]
    refs["worst"][...] = jnp.maximum(refs["worst"][...], drop)
    refs["days"][...] += 1
    return refs["worst"][...]
