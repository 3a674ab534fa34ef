# points: 0
# why: 더하지 않고 마지막 조각만 남김
import jax
import jax.numpy as jnp


def accumulate(losses, params, x, y, weight, pieces):
    def piece_loss(params, x, y, weight):
        return jnp.sum(weight * losses(params, x, y))

    def step(total, piece):
        one = jax.value_and_grad(piece_loss)(params, *piece)
        return one, None

    parts = [a.reshape(pieces, -1, *a.shape[1:]) for a in (x, y, weight)]
    start = (jnp.float32(0.0), jax.tree.map(jnp.zeros_like, params))
    total, _ = jax.lax.scan(step, start, parts)
    return jax.tree.map(lambda leaf: leaf / jnp.sum(weight), total)
