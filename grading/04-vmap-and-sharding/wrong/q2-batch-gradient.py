# points: 0
# why: 배치 손실의 기울기 하나를 되풀이함
import jax
import jax.numpy as jnp


def gradient_norms(loss, params, x, y):
    def batch_loss(params):
        return jnp.mean(jax.vmap(loss, in_axes=(None, 0, 0))(params, x, y))

    leaves = jax.tree.leaves(jax.grad(batch_loss)(params))
    return jnp.full(len(x), jnp.sqrt(sum(jnp.sum(leaf**2) for leaf in leaves)))
