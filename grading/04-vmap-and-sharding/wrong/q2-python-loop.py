# points: 1
# why: 예제마다 파이썬 반복문으로 돎
import jax
import jax.numpy as jnp


def gradient_norms(loss, params, x, y):
    def norm(one_x, one_y):
        leaves = jax.tree.leaves(jax.grad(loss)(params, one_x, one_y))
        return jnp.sqrt(sum(jnp.sum(leaf**2) for leaf in leaves))

    return jnp.stack([norm(a, b) for a, b in zip(x, y)])
