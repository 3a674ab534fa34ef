# 다른 방식: 전치와 lambda, jacrev, with_sharding_constraint, shard_map, allgather
import functools

import jax
import jax.numpy as jnp
import numpy as np
from jax import NamedSharding, P


def translate(f, g, h, x, y, z, u, v, t):
    map_ = jax.vmap
    return {
        "a": map_(lambda row: f(row, v))(x),
        "b": map_(lambda row: f(v, row))(x),
        "c": map_(f, in_axes=(0, 0))(x, y),
        "d": map_(functools.partial(f, b=u))(x.T),
        "e": map_(g)(x).T,
        "f": map_(g)(x.T).T,
        "g": map_(lambda p: map_(lambda q: f(p, q))(z))(x),
        "h": map_(lambda s, p: h({"scale": s, "shift": t["shift"]}, p))(t["scale"], x),
    }


@functools.partial(jax.jit, static_argnums=0)
def gradient_norms(loss, params, x, y):
    def every(p):
        return jax.vmap(loss, in_axes=(None, 0, 0))(p, x, y)

    rows = [leaf.reshape(len(x), -1) for leaf in jax.tree.leaves(jax.jacrev(every)(params))]
    return jnp.linalg.norm(jnp.concatenate(rows, axis=1), axis=1)


def pairwise(distance, left, right):
    many_to_one = jax.vmap(distance, in_axes=(0, None))
    return jax.vmap(many_to_one, in_axes=(None, 0), out_axes=1)(left, right)


def data_parallel(step, mesh, params, x, y):
    batch, everywhere = NamedSharding(mesh, P("data")), NamedSharding(mesh, P())

    @jax.jit
    def run(params, x, y):
        x, y = jax.lax.with_sharding_constraint((x, y), batch)
        params = jax.lax.with_sharding_constraint(params, everywhere)
        return jax.lax.with_sharding_constraint(step(params, x, y), everywhere)

    return run(params, x, y)


def tensor_parallel(mesh, layer, x):
    def block(up, up_bias, down, down_bias, x):
        hidden = jnp.maximum(x @ up + up_bias, 0.0)
        return jax.lax.psum(hidden @ down, "model") + down_bias

    specs = (P(None, "model"), P("model"), P("model"), P(), P("data"))
    run = jax.shard_map(block, mesh=mesh, in_specs=specs, out_specs=P("data"))
    return jax.jit(run)(*(layer[n] for n in ("up", "up_bias", "down", "down_bias")), x)


def sharded_cross_entropy(mesh, logits, labels):
    shards = mesh.shape["model"]
    width = logits.shape[1] // shards

    @functools.partial(
        jax.shard_map, mesh=mesh, in_specs=(P(None, "model"), P()), out_specs=P()
    )
    def run(part, labels):
        first = width * jax.lax.axis_index("model")
        top = jax.lax.pmax(jax.lax.stop_gradient(jnp.max(part, axis=1)), "model")
        here = (labels >= first) & (labels < first + width)
        column = jnp.where(here, labels - first, 0)
        answer = jnp.take_along_axis(part, column[:, None], axis=1)[:, 0]
        parts = jnp.stack([
            jnp.sum(jnp.exp(part - top[:, None]), axis=1), jnp.where(here, answer - top, 0.0)
        ])
        total, picked = jax.lax.psum(parts, "model")
        return (jnp.log(total) - picked).mean()

    return run(logits, labels)


def train(loss, mesh, params, x, y):
    batch, everywhere = NamedSharding(mesh, P("data")), NamedSharding(mesh, P())
    keep = jax.lax.with_sharding_constraint

    @jax.jit
    def run(params, x, y):
        def body(i, state):
            params, momentum, losses = state
            one = [keep(jax.lax.dynamic_index_in_dim(a, i, keepdims=False), batch) for a in (x, y)]
            value, gradient = jax.value_and_grad(loss)(params, *one)
            norm = jnp.sqrt(sum(jnp.vdot(g, g) for g in jax.tree.leaves(gradient)))
            scale = jnp.where(norm > 1.0, 1.0 / norm, 1.0)
            momentum = jax.tree.map(lambda m, g: 0.9 * m + g * scale, momentum, gradient)
            params = jax.tree.map(lambda p, m: p - 0.1 * m, params, momentum)
            return keep(params, everywhere), momentum, losses.at[i].set(value)

        x, y = keep((x, y), NamedSharding(mesh, P(None, "data")))
        state = params, jax.tree.map(jnp.zeros_like, params), jnp.zeros(len(x))
        params, _, losses = jax.lax.fori_loop(0, len(x), body, state)
        return keep((params, losses), everywhere)

    return run(params, x, y)


def standardize(address, index, rows):
    from jax.experimental import multihost_utils

    jax.distributed.initialize(address, 2, index)
    mine = np.asarray(rows, np.float32)
    everything = np.asarray(multihost_utils.process_allgather(mine, tiled=True))
    deviation = everything.std(0)
    deviation[deviation == 0] = 1
    mean = everything.mean(0)
    return ((mine - mean) / deviation).astype(np.float32), mean.astype(np.float32)
