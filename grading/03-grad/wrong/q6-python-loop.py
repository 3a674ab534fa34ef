# points: 4
# why: 파이썬 반복문이 조각을 돎
import jax
import jax.numpy as jnp


def accumulate(losses, params, x, y, weight, pieces):
    def loss(params, x, y, part):
        return jnp.sum(part * losses(params, x, y)) / jnp.sum(weight)

    total = None
    for piece in zip(*(jnp.split(a, pieces) for a in (x, y, weight))):
        one = jax.value_and_grad(loss)(params, *piece)
        total = one if total is None else jax.tree.map(jnp.add, total, one)
    return total
