# points: 4
# why: 가중치의 합으로 나누지 않음
import jax
import jax.numpy as jnp


def accumulate(losses, params, x, y, weight, pieces):
    def piece_loss(params, x, y, weight):
        return jnp.sum(weight * losses(params, x, y))

    def step(total, piece):
        one = jax.value_and_grad(piece_loss)(params, *piece)
        return jax.tree.map(jnp.add, total, one), None

    parts = [a.reshape(pieces, -1, *a.shape[1:]) for a in (x, y, weight)]
    start = (jnp.float32(0.0), jax.tree.map(jnp.zeros_like, params))
    total, _ = jax.lax.scan(step, start, parts)
    return jax.tree.map(lambda leaf: leaf / 1.0, total)
