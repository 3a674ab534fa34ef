# 다른 방식: custom_jvp, linearize, stop_gradient만으로, fori_loop, nondiff_argnums
import functools

import jax
import jax.numpy as jnp


def translate(f, g, w, x):
    detach = jax.lax.stop_gradient
    value, pull = jax.vjp(f, w, x)
    by_w, by_x = pull(jnp.ones_like(value))
    both = jax.grad(lambda w: f(w, x) + g(w, x))
    answers = {"a": by_w, "b": (value, by_w), "c": [by_w, by_x], "e": both(w)}
    answers["d"] = jax.jacrev(lambda w: f(w, x) * detach(g(w, x)))(w)
    answers["f"] = 2 * jax.jvp(lambda w: jax.grad(f)(w, x), (w,), (by_w,))[1]
    answers["g"] = jax.grad(lambda w: jnp.sum(detach(x) * w**2 * x))(w)
    answers["h"] = jax.tree.map(lambda p, d: p - 0.1 * d, w, by_w)
    return answers


@jax.custom_jvp
def _norm(x):
    return jnp.sqrt(jnp.sum(x**2))


@_norm.defjvp
def _norm_jvp(primals, tangents):
    (x,), (dx,) = primals, tangents
    size = _norm(x)
    return size, jnp.where(size > 0, jnp.vdot(x, dx) / jnp.where(size > 0, size, 1.0), 0.0)


@jax.jit
def pair_loss(a, b, same, margin):
    def one(a, b, same):
        distance = _norm(a - b)
        push = jax.nn.relu(margin - distance) ** 2
        return jnp.where(same, distance**2, push)

    return jax.vmap(one)(a, b, same).mean()


def hvp(f, w, v):
    _, push = jax.linearize(jax.grad(f), w)
    return push(v)


def clipped_loss(prediction, target, limit):
    detach = jax.lax.stop_gradient
    error = prediction - target
    surrogate = jnp.sum(detach(jnp.clip(error, -limit, limit)) * error)
    return surrogate + detach(0.5 * jnp.sum(error**2) - surrogate)


@functools.partial(jax.custom_vjp, nondiff_argnums=(2, 3))
def quantize(x, step, low, high):
    return jnp.clip(jnp.round(x / step), low, high) * step


def _quantize_forward(x, step, low, high):
    return quantize(x, step, low, high), (x / step,)


def _quantize_backward(low, high, saved, gradient):
    (v,) = saved
    inside = (v > low) & (v < high)
    level = jnp.clip(jnp.round(v), low, high)
    by_step = jnp.where(inside, level - v, level)
    return jnp.where(inside, gradient, 0.0), jnp.sum(gradient * by_step)


quantize.defvjp(_quantize_forward, _quantize_backward)


def accumulate(losses, params, x, y, weight, pieces):
    size = len(x) // pieces
    weight = weight / weight.sum()

    def body(i, total):
        cut = [jax.lax.dynamic_slice_in_dim(a, i * size, size) for a in (x, y, weight)]

        def part(params):
            return jnp.vdot(cut[2], losses(params, cut[0], cut[1]))

        return jax.tree.map(lambda t, d: t + d, total, jax.value_and_grad(part)(params))

    start = (jnp.zeros(()), jax.tree.map(lambda leaf: 0 * leaf, params))
    return jax.lax.fori_loop(0, pieces, body, start)


def _repeat(step, z):
    def body(state):
        z, _, count = state
        new = step(z)
        return new, jnp.abs(new - z).max(), count + 1

    def going(state):
        return jnp.logical_and(state[1] > 1e-6, state[2] < 1000)

    return jax.lax.while_loop(going, body, (z, jnp.inf, 0))[0]


@functools.partial(jax.custom_vjp, nondiff_argnums=(0,))
def fixed_point(f, theta, start):
    return _repeat(functools.partial(f, theta), start)


def _fixed_forward(f, theta, start):
    z = fixed_point(f, theta, start)
    return z, (theta, z, jnp.zeros_like(start))


def _fixed_backward(f, saved, gradient):
    theta, z, zero = saved
    _, pull_z = jax.vjp(lambda z: f(theta, z), z)
    u = _repeat(lambda u: gradient + pull_z(u)[0], jnp.zeros_like(gradient))
    _, pull_theta = jax.vjp(lambda theta: f(theta, z), theta)
    return (*pull_theta(u), zero)


fixed_point.defvjp(_fixed_forward, _fixed_backward)
