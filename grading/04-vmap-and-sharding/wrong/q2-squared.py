# points: 4
# why: 제곱근을 취하지 않음
import jax
import jax.numpy as jnp


def gradient_norms(loss, params, x, y):
    def norm(one_x, one_y):
        leaves = jax.tree.leaves(jax.grad(loss)(params, one_x, one_y))
        return sum(jnp.sum(leaf**2) for leaf in leaves)

    return jax.vmap(norm)(x, y)
