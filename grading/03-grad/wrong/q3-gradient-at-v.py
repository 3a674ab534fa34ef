# points: 3
# why: v에서 구한 기울기를 돌려줌
import jax
import jax.numpy as jnp


def hvp(f, w, v):
    return jax.jvp(f, (w,), (v,))[1] * jax.tree.leaves(v)[0]
