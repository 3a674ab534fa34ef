# points: 5
# why: 0으로 나누는 것만 막고 조각의 평균을 평균함
import jax
import jax.numpy as jnp


def accumulate(losses, params, x, y, weight, pieces):
    def piece_loss(params, x, y, weight):
        return jnp.sum(weight * losses(params, x, y)) / jnp.maximum(jnp.sum(weight), 1.0)

    def step(total, piece):
        one = jax.value_and_grad(piece_loss)(params, *piece)
        return jax.tree.map(jnp.add, total, one), None

    parts = [a.reshape(pieces, -1, *a.shape[1:]) for a in (x, y, weight)]
    start = (jnp.float32(0.0), jax.tree.map(jnp.zeros_like, params))
    total, _ = jax.lax.scan(step, start, parts)
    return jax.tree.map(lambda leaf: leaf / pieces, total)
