# 풀이 노트북과 같은 방식
import functools

import jax
import jax.numpy as jnp
import numpy as np
from jax import NamedSharding, P
from jax.sharding import AxisType


def _scalars(f, x, y, z, u, v):
    rows = jax.vmap(f, in_axes=(None, 0))
    return {
        "a": jax.vmap(f, in_axes=(0, None))(x, v),
        "b": rows(v, x),
        "c": jax.vmap(f)(x, y),
        "d": jax.vmap(f, in_axes=(1, None))(x, u),
        "g": jax.vmap(rows, in_axes=(0, None))(x, z),
    }


def translate(f, g, h, x, y, z, u, v, t):
    answers = _scalars(f, x, y, z, u, v)
    answers["e"] = jax.vmap(g, out_axes=1)(x)
    answers["f"] = jax.vmap(g, in_axes=1, out_axes=1)(x)
    answers["h"] = jax.vmap(h, in_axes=({"scale": 0, "shift": None}, 0))(t, x)
    return answers


def gradient_norms(loss, params, x, y):
    def norm(one_x, one_y):
        leaves = jax.tree.leaves(jax.grad(loss)(params, one_x, one_y))
        return jnp.sqrt(sum(jnp.sum(leaf**2) for leaf in leaves))

    return jax.vmap(norm)(x, y)


def pairwise(distance, left, right):
    one_to_many = jax.vmap(distance, in_axes=(None, 0))
    return jax.vmap(one_to_many, in_axes=(0, None))(left, right)


def data_parallel(step, mesh, params, x, y):
    replicated, by_batch = NamedSharding(mesh, P()), NamedSharding(mesh, P("data"))
    placed = (replicated, by_batch, by_batch)
    return jax.jit(step, in_shardings=placed, out_shardings=replicated)(params, x, y)


def _block(layer, x):
    hidden = jax.nn.relu(x @ layer["up"] + layer["up_bias"])
    return hidden @ layer["down"] + layer["down_bias"]


def tensor_parallel(mesh, layer, x):
    specs = {
        "up": P(None, "model"),
        "up_bias": P("model"),
        "down": P("model", None),
        "down_bias": P(),
    }
    placed = jax.tree.map(lambda spec: NamedSharding(mesh, spec), (specs, P("data")))
    return jax.jit(_block, in_shardings=placed, out_shardings=placed[1])(layer, x)


def sharded_cross_entropy(mesh, logits, labels):
    def shard_loss(part, labels):
        width = part.shape[1]
        largest = jax.lax.stop_gradient(part.max(axis=1))
        shifted = part - jax.lax.pmax(largest, "model")[:, None]
        total = jax.lax.psum(jnp.exp(shifted).sum(axis=1), "model")
        column = labels - width * jax.lax.axis_index("model")
        mine = jax.nn.one_hot(column, width)
        picked = jax.lax.psum((shifted * mine).sum(axis=1), "model")
        return jnp.mean(jnp.log(total) - picked)

    return jax.shard_map(
        shard_loss, mesh=mesh, in_specs=(P(None, "model"), P()), out_specs=P()
    )(logits, labels)


def _update(loss, state, batch):
    params, momentum = state
    value, gradient = jax.value_and_grad(loss)(params, *batch)
    squares = [jnp.sum(leaf**2) for leaf in jax.tree.leaves(gradient)]
    scale = jnp.minimum(1.0, 1.0 / jnp.sqrt(sum(squares)))
    momentum = jax.tree.map(lambda m, g: 0.9 * m + scale * g, momentum, gradient)
    params = jax.tree.map(lambda p, m: p - 0.1 * m, params, momentum)
    return (params, momentum), value


def _run(loss, params, *batches):
    start = (params, jax.tree.map(jnp.zeros_like, params))
    (params, _), losses = jax.lax.scan(functools.partial(_update, loss), start, batches)
    return params, losses


def train(loss, mesh, params, x, y):
    replicated, by_batch = NamedSharding(mesh, P()), NamedSharding(mesh, P(None, "data"))
    run, placed = functools.partial(_run, loss), (replicated, by_batch, by_batch)
    return jax.jit(run, in_shardings=placed, out_shardings=replicated)(params, x, y)


def _statistics(x):
    deviation = x.std(axis=0)
    return x.mean(axis=0), jnp.where(deviation == 0, 1.0, deviation)


def _global_array(mine):
    mesh = jax.make_mesh((jax.device_count(),), ("data",), axis_types=(AxisType.Auto,))
    by_row = NamedSharding(mesh, P("data"))
    return jax.make_array_from_process_local_data(by_row, mine), NamedSharding(mesh, P())


def standardize(address, index, rows):
    jax.distributed.initialize(address, num_processes=2, process_id=index)
    mine = np.asarray(rows, np.float32)
    everything, replicated = _global_array(mine)
    found = jax.jit(_statistics, out_shardings=replicated)(everything)
    mean, deviation = (np.asarray(value) for value in found)
    return (mine - mean) / deviation, mean
