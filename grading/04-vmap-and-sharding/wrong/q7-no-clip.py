# points: 6
# why: 기울기를 자르지 않음
import jax
import jax.numpy as jnp
from jax import NamedSharding, P


def train(loss, mesh, params, x, y):
    replicated = NamedSharding(mesh, P())
    by_batch = NamedSharding(mesh, P(None, "data"))

    def update(state, batch):
        params, momentum = state
        value, gradient = jax.value_and_grad(loss)(params, *batch)
        momentum = jax.tree.map(lambda m, g: 0.9 * m + g, momentum, gradient)
        params = jax.tree.map(lambda p, m: p - 0.1 * m, params, momentum)
        return (params, momentum), value

    def run(params, x, y):
        state = (params, jax.tree.map(jnp.zeros_like, params))
        (params, _), losses = jax.lax.scan(update, state, (x, y))
        return params, losses

    placed = (replicated, by_batch, by_batch)
    return jax.jit(run, in_shardings=placed, out_shardings=replicated)(params, x, y)
