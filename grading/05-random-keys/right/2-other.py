# 다른 방식: uniform과 비교, 키를 나누어 나르는 scan, 행 번호를 섞는 shard_map, lax.map, choice
import functools

import jax
import jax.numpy as jnp


def first_reuse():
    lines = dict.fromkeys("abcdef", 0)
    lines.update(a=5, c=5, d=6, e=3)
    return lines


def dropout(key, layer, step, x, rate):
    key = jax.random.fold_in(jax.random.fold_in(key, step), layer)
    dropped = jax.random.uniform(key, x.shape) < rate
    return jnp.where(dropped, 0.0, 1 / (1 - rate)) * x


def train(state, x, y, steps):
    def one_step(state, _):
        key, subkey = jax.random.split(jax.random.wrap_key_data(state["key"]))
        rows = jax.random.choice(subkey, len(x), (8,))
        error = x[rows] @ state["w"] - y[rows]
        velocity = 0.9 * state["velocity"] + 2 * x[rows].T @ error / 8
        new = {"w": state["w"] - 0.05 * velocity, "velocity": velocity}
        new |= {"step": state["step"] + 1, "key": jax.random.key_data(key)}
        return new, jnp.mean(error**2)

    return jax.lax.scan(one_step, state, length=steps)


def sample_rows(key, rows, width, mesh):
    @functools.partial(
        jax.shard_map, mesh=mesh, in_specs=(jax.P(), jax.P("data")), out_specs=jax.P("data")
    )
    def draw(key, numbers):
        def row(number):
            return jax.random.normal(jax.random.fold_in(key, number), (width,))

        return jax.vmap(row)(numbers)

    return draw(key, jnp.arange(rows))


def bootstrap(key, statistic, x, draws):
    def one(i):
        return statistic(jax.random.choice(jax.random.fold_in(key, i), x, (x.shape[0],)))

    return jax.lax.map(one, jnp.arange(draws))


def gumbel_softmax(key, logits, temperature, start):
    def token(_, inputs):
        row, position = inputs
        u = jax.random.uniform(
            jax.random.fold_in(key, position), row.shape, minval=jnp.finfo(jnp.float32).tiny
        )
        score = (row - jnp.log(-jnp.log(u))) / temperature
        score = jnp.exp(score - jax.lax.stop_gradient(score.max()))
        return None, score / score.sum()

    return jax.lax.scan(token, None, (logits, start + jnp.arange(len(logits))))[1]
