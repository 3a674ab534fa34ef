# points: 4
# why: 값에 따른 if가 jit에서 멈춤
import jax
import jax.numpy as jnp


def track(refs, price):
    if price > refs["peak"][...]:
        refs["peak"][...] = price
    drop = 1 - price / refs["peak"][...]
    refs["worst"][...] = jnp.maximum(refs["worst"][...], drop)
    refs["days"][...] += 1
    return drop
