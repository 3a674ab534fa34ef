# points: 5
# why: 고치기 전의 최고가로 낙폭을 구함
import jax
import jax.numpy as jnp


def track(refs, price):
    drop = 1 - price / refs["peak"][...]
    refs["peak"][...] = jnp.maximum(refs["peak"][...], price)
    refs["worst"][...] = jnp.maximum(refs["worst"][...], drop)
    refs["days"][...] += 1
    return drop
