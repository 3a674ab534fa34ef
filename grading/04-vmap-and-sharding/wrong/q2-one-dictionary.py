# points: 4
# why: 파라미터가 딕셔너리 하나라고 믿음
import jax
import jax.numpy as jnp


def gradient_norms(loss, params, x, y):
    def norm(one_x, one_y):
        leaves = jax.grad(loss)(params, one_x, one_y).values()
        return jnp.sqrt(sum(jnp.sum(leaf**2) for leaf in leaves))

    return jax.vmap(norm)(x, y)
