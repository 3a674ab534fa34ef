# points: 1
# why: 상자에 쓰지 않고 딕셔너리의 칸을 갈아 끼움
import jax
import jax.numpy as jnp


def track(refs, price):
    refs["peak"] = jnp.maximum(refs["peak"][...], price)
    drop = 1 - price / refs["peak"][...]
    refs["worst"] = jnp.maximum(refs["worst"][...], drop)
    refs["days"] = refs["days"][...] + 1
    return drop
