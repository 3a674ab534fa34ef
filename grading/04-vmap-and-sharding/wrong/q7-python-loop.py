# points: 6
# why: 파이썬 반복문으로 스텝을 돎
import jax
import jax.numpy as jnp
from jax import NamedSharding, P


def train(loss, mesh, params, x, y):
    replicated = NamedSharding(mesh, P())
    by_batch = NamedSharding(mesh, P(None, "data"))

    def update(state, batch):
        params, momentum = state
        value, gradient = jax.value_and_grad(loss)(params, *batch)
        squares = [jnp.sum(leaf**2) for leaf in jax.tree.leaves(gradient)]
        scale = jnp.minimum(1.0, 1.0 / jnp.sqrt(sum(squares)))
        momentum = jax.tree.map(lambda m, g: 0.9 * m + scale * g, momentum, gradient)
        params = jax.tree.map(lambda p, m: p - 0.1 * m, params, momentum)
        return (params, momentum), value

    def run(params, x, y):
        state = (params, jax.tree.map(jnp.zeros_like, params))
        losses = []
        for batch in zip(x, y):
            state, value = update(state, batch)
            losses.append(value)
        return state[0], jnp.stack(losses)

    placed = (replicated, by_batch, by_batch)
    return jax.jit(run, in_shardings=placed, out_shardings=replicated)(params, x, y)
