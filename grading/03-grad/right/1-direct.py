# 풀이 노트북과 같은 방식
import jax
import jax.numpy as jnp


def translate(f, g, w, x):
    def loss(p):
        return f(p, x)

    def other(p):
        return g(p, x)

    return {
        "a": jax.grad(loss)(w),
        "b": jax.value_and_grad(loss)(w),
        "c": jax.grad(f, argnums=(0, 1))(w, x),
        "d": jax.grad(loss)(w) * other(w),
        "e": jax.grad(loss)(w) + jax.grad(other)(w),
        "f": jax.grad(lambda p: jnp.sum(jax.grad(loss)(p) ** 2))(w),
        "g": jax.vjp(lambda p: p**2 * x, w)[1](x)[0],
        "h": w - 0.1 * jax.grad(loss)(w),
    }


def pair_loss(a, b, same, margin):
    squared = jnp.sum((a - b) ** 2, axis=-1)
    apart = squared > 0
    distance = jnp.where(apart, jnp.sqrt(jnp.where(apart, squared, 1.0)), 0.0)
    push = jnp.maximum(margin - distance, 0.0) ** 2
    return jnp.mean(jnp.where(same, squared, push))


def hvp(f, w, v):
    return jax.jvp(jax.grad(f), (w,), (v,))[1]


def clipped_loss(prediction, target, limit):
    @jax.custom_vjp
    def loss(p, t, bound):
        return 0.5 * jnp.sum((p - t) ** 2)

    def forward(p, t, bound):
        return loss(p, t, bound), (p - t, bound)

    def backward(saved, outer):
        clipped = outer * jnp.clip(saved[0], -saved[1], saved[1])
        return clipped, -clipped, None

    loss.defvjp(forward, backward)
    return loss(prediction, target, limit)


def quantize(x, step, low, high):
    scaled = jnp.clip(x / step, low, high)
    rounded = scaled + jax.lax.stop_gradient(jnp.round(scaled) - scaled)
    return rounded * step


def accumulate(losses, params, x, y, weight, pieces):
    def piece_sum(p, xs, ys, ws):
        return jnp.sum(ws * losses(p, xs, ys))

    def step(total, piece):
        one = jax.value_and_grad(piece_sum)(params, *piece)
        return jax.tree.map(jnp.add, total, one), None

    def cut(a):
        return a.reshape(pieces, -1, *a.shape[1:])

    start = jax.tree.map(jnp.zeros_like, (jnp.float32(0.0), params))
    sums = jax.lax.scan(step, start, (cut(x), cut(y), cut(weight)))[0]
    return jax.tree.map(lambda leaf: leaf / jnp.sum(weight), sums)


def fixed_point(f, theta, start):
    def repeat(step, first):
        return jax.lax.while_loop(
            lambda s: (jnp.max(jnp.abs(s[0] - s[1])) > 1e-6) & (s[2] < 1000),
            lambda s: (step(s[0]), s[0], s[2] + 1),
            (step(first), first, 1),
        )[0]

    @jax.custom_vjp
    def solve(t, begin):
        return repeat(lambda z: f(t, z), begin)

    def forward(t, begin):
        z = solve(t, begin)
        return z, (t, z)

    def backward(saved, outer):
        pull_back = jax.vjp(f, *saved)[1]
        u = repeat(lambda v: outer + pull_back(v)[1], outer)
        return pull_back(u)[0], None

    solve.defvjp(forward, backward)
    return solve(theta, start)
