# 다른 방식: cond와 clip, where= 인자, 한꺼번에 계산하는 가중치, fori_loop
import functools
import operator

import jax
import jax.numpy as jnp
import numpy as np


def predict_traces():
    new = [True, False, False, True, True, True, True, True, True, False]
    return [sum(new[: i + 1]) for i in range(len(new))]


@jax.jit
def robust_loss(error, delta, step):
    inside = jnp.clip(error, -delta, delta)
    huber = 2 * inside * error - inside**2
    return jax.lax.cond(step < 10, lambda e, h: e * e, lambda e, h: h, error, huber)


def masked_stats(x, mask):
    empty = ~mask.any()
    clean = jnp.where(mask, x, 0)
    mean = clean.mean(where=mask | empty)
    var = jnp.square(clean - mean).mean(where=mask | empty)
    return jnp.where(empty, 0.0, mean), jnp.where(empty, 0.0, var)


def run_bucketed(compiled, sequence, buckets):
    fitting = [b for b in buckets if len(sequence) <= b]
    if not fitting:
        raise ValueError("너무 깁니다")
    extra = min(fitting) - len(sequence)
    mask = np.r_[np.ones(len(sequence), bool), np.zeros(extra, bool)]
    return compiled(jnp.asarray(np.pad(sequence, (0, extra))), jnp.asarray(mask))[: len(sequence)]


def debiased_average(xs, decay):
    def step(average, inputs):
        index, x = inputs
        average = average + (1 - decay) * (x - average)
        return average, average / (1 - decay ** (index + 1.0))

    return jax.lax.scan(step, jnp.zeros_like(xs[0]), (jnp.arange(len(xs)), xs))[1]


def fit(loss, w, batches, learning_rate):
    gradient = jax.jit(jax.grad(loss))
    w = np.float32(w)
    size = batches[0][0].shape[0]
    for step, (x, y) in enumerate(batches):
        weight = np.zeros(size, np.float32)
        weight[: len(x)] = 1
        full_x, full_y = np.zeros((size, *x.shape[1:]), x.dtype), np.zeros(size, y.dtype)
        full_x[: len(x)], full_y[: len(y)] = x, y
        w = w - np.float32(learning_rate / (1 + step)) * np.asarray(gradient(w, full_x, full_y, weight))
    return jnp.asarray(w)


def cost_report(function, *arguments):
    compiled = jax.jit(lambda *a: function(*a)).trace(*arguments).lower().compile()
    cost = dict.fromkeys(("flops", "bytes accessed"), 0.0) | dict(compiled.cost_analysis())
    flops, moved = float(cost["flops"]), float(cost["bytes accessed"])
    return dict(flops=flops, bytes=moved, intensity=flops / moved if moved else 0.0)


@jax.jit
def power_iteration(matrix, tolerance, max_steps):
    def advance(state):
        vector, _, count, _ = state
        product = jnp.dot(matrix, vector)
        norm = jnp.sqrt(jnp.sum(product * product))
        new = jax.lax.cond(norm > 0, lambda: product / norm, lambda: vector)
        # 영행렬이면 바뀐 것이 없으므로 여기서 멈춘다
        change = jnp.where(norm > 0, jnp.linalg.norm(new - vector), -1.0)
        return new, norm, count + 1, change

    def going(state):
        return jnp.logical_and(state[2] < max_steps, state[3] >= jnp.maximum(tolerance, 0.0))

    ones = jnp.ones(len(matrix), matrix.dtype)
    start = (ones / jnp.sqrt(ones.sum()), jnp.zeros((), matrix.dtype), jnp.array(0, jnp.int32))
    return jax.lax.while_loop(going, advance, (*start, jnp.array(jnp.inf, matrix.dtype)))[:3]
