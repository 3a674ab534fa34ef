# 풀이 노트북과 같은 방식
import functools

import jax
import jax.numpy as jnp


def first_reuse():
    return {"a": 5, "b": 0, "c": 5, "d": 6, "e": 3, "f": 0}


def dropout(key, layer, step, x, rate):
    key = jax.random.fold_in(jax.random.fold_in(key, layer), step)
    keep = jax.random.bernoulli(key, 1 - rate, x.shape)
    return jnp.where(keep, x / (1 - rate), 0.0)


def train(state, x, y, steps):
    def one_step(state, _):
        key = jax.random.fold_in(jax.random.wrap_key_data(state["key"]), state["step"])
        rows = jax.random.randint(key, (8,), 0, len(x))
        loss, gradient = jax.value_and_grad(
            lambda w: jnp.mean((x[rows] @ w - y[rows]) ** 2)
        )(state["w"])
        velocity = 0.9 * state["velocity"] + gradient
        new = {"w": state["w"] - 0.05 * velocity, "velocity": velocity}
        return {**state, **new, "step": state["step"] + 1}, loss

    return jax.lax.scan(one_step, state, length=steps)


def sample_rows(key, rows, width, mesh):
    by_rows = jax.NamedSharding(mesh, jax.P("data"))
    draw = functools.partial(jax.random.normal, shape=(rows, width))
    return jax.jit(draw, out_shardings=by_rows)(key)


def bootstrap(key, statistic, x, draws):
    def one(key):
        rows = jax.random.randint(key, (len(x),), 0, len(x))
        return statistic(x[rows])

    return jax.vmap(one)(jax.random.split(key, draws))


def gumbel_softmax(key, logits, temperature, start):
    count, vocabulary = logits.shape
    positions = start + jnp.arange(count)
    keys = jax.vmap(jax.random.fold_in, in_axes=(None, 0))(key, positions)
    noise = jax.vmap(lambda key: jax.random.gumbel(key, (vocabulary,)))(keys)
    return jax.nn.softmax((logits + noise) / temperature, axis=-1)
