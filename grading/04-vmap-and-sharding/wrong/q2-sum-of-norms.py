# points: 4
# why: 잎마다의 노름을 더함
import jax
import jax.numpy as jnp


def gradient_norms(loss, params, x, y):
    def norm(one_x, one_y):
        leaves = jax.tree.leaves(jax.grad(loss)(params, one_x, one_y))
        return sum(jnp.sqrt(jnp.sum(leaf**2)) for leaf in leaves)

    return jax.vmap(norm)(x, y)
