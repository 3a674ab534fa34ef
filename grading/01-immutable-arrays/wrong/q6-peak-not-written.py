# points: 4
# why: 최고가를 상자에 쓰지 않음
import jax
import jax.numpy as jnp


def track(refs, price):
    peak = jnp.maximum(refs["peak"][...], price)
    drop = 1 - price / peak
    refs["worst"][...] = jnp.maximum(refs["worst"][...], drop)
    refs["days"][...] += 1
    return drop
