# points: 1
# why: 새 상자에 베껴서 고침
import jax
import jax.numpy as jnp


def track(refs, price):
    refs = {name: jax.new_ref(ref[...]) for name, ref in refs.items()}
    refs["peak"][...] = jnp.maximum(refs["peak"][...], price)
    drop = 1 - price / refs["peak"][...]
    refs["worst"][...] = jnp.maximum(refs["worst"][...], drop)
    refs["days"][...] += 1
    return drop
