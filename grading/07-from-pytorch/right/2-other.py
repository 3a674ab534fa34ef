# 다른 방식: 데코레이터, fold_in, 이미지마다 vmap, cond
from functools import partial

import jax
import jax.export
import jax.numpy as jnp


@jax.jit
def running_mean(state, x):
    count, mean = state
    weight = x.size / (count + x.size)
    mean = (1 - weight) * mean + weight * x.mean()
    print("트레이싱")
    return (count + x.size, mean), mean


def _one(key, image):
    flip_key, noise_key = jax.random.split(key)
    image = jax.lax.cond(
        jax.random.uniform(flip_key) < 0.5, lambda i: jnp.flip(i, axis=1), lambda i: i, image
    )
    return image + jax.random.normal(noise_key, image.shape) * 0.1


@jax.jit
def augment(key, images):
    key, subkey = jax.random.split(key)
    return key, jax.vmap(_one)(jax.random.split(subkey, len(images)), images)


@partial(jax.jit, donate_argnums=())
def clip_gradient(gradient, max_norm, step, warmup_steps):
    def clip(tree):
        squares = jax.tree.map(lambda v: jnp.vdot(v, v).astype(jnp.float32), tree)
        total = jax.tree.reduce(jnp.add, squares)
        # 0의 제곱근을 미분하지 않는다
        norm = jnp.sqrt(jnp.where(total == 0, 1.0, total)) * (total > 0)
        factor = jnp.minimum(1.0, max_norm / jnp.maximum(norm, 1e-12))
        return jax.tree.map(lambda v: (factor * v).astype(v.dtype), tree)

    return jax.lax.cond(step < warmup_steps, lambda tree: tree, clip, gradient)


def translate(t):
    rows, _ = t.shape
    flat = jnp.sort(t, axis=None)
    mean = jnp.mean(t, axis=-1)[:, None]
    log_probability = t - jax.nn.logsumexp(t, axis=-1, keepdims=True)
    return dict(
        a=jnp.sqrt(((t - t.mean(0)) ** 2).sum(0) / (rows - 1)),
        b=jnp.quantile(flat, 0.5, method="lower"),
        c=jnp.max(t, -1),
        d=jnp.concatenate([t, t]),
        e=t[jnp.arange(2 * rows) // 2],
        f=0.5 * t * (1 + jax.scipy.special.erf(t / 2**0.5)),
        g=(t - mean) * jax.lax.rsqrt(((t - mean) ** 2).mean(-1)[:, None] + 1e-5),
        h=t[0] + 3.0 * (jnp.arange(t.shape[1]) == 1),
        i=jnp.minimum(t, 0.0) - (t > 0),
        j=jnp.concatenate([jnp.zeros((rows, 1)), t], axis=1),
        k=-log_probability[:, 0].mean(),
        l=jnp.sum(-t) / rows,
    )


def convert_weights(kind, weights, heads):
    if kind == "attention":
        out = {}
        for i, name in enumerate(["query", "key", "value"]):
            width = weights["in_proj_weight"].shape[-1]
            rows = slice(i * width, (i + 1) * width)
            kernel = weights["in_proj_weight"][rows].reshape(heads, -1, width)
            bias = weights["in_proj_bias"][rows].reshape(heads, width // heads)
            out[name] = {"kernel": jnp.einsum("hdi->ihd", kernel), "bias": bias}
        return out
    rules = {
        "linear": {"weight": ("kernel", lambda w: w.T)},
        "conv": {"weight": ("kernel", lambda w: jnp.einsum("oihw->hwio", w))},
        "norm": {
            "weight": ("scale", lambda w: w),
            "running_mean": ("mean", lambda w: w),
            "running_var": ("var", lambda w: w),
        },
        "embedding": {"weight": ("embedding", lambda w: w)},
    }[kind] | {"bias": ("bias", lambda b: b)}
    return {rules[n][0]: rules[n][1](w) for n, w in weights.items() if n in rules}


def residual_block(params, stats, x, train):
    padded = jnp.pad(x, ((0, 0), (1, 1), (1, 1), (0, 0)))
    height, width = x.shape[1:3]
    y = 0.0
    for i in range(3):
        for j in range(3):
            y = y + padded[:, i : i + height, j : j + width] @ params["kernel"][i, j]
    if train:
        flat = y.reshape(-1, y.shape[-1])
        mean, var = flat.mean(0), flat.var(0)
        new = {
            "mean": stats["mean"] + 0.1 * (mean - stats["mean"]),
            "var": stats["var"] + 0.1 * (flat.var(0, ddof=1) - stats["var"]),
        }
    else:
        mean, var, new = stats["mean"], stats["var"], stats
    scale = params["scale"] * jax.lax.rsqrt(var + 1e-5)
    return jnp.maximum(x + (y - mean) * scale + params["bias"], 0.0), new


def train_step(state, x, y):
    w, b = state["params"]["w"], state["params"]["b"]
    wrong = x @ w + b - y
    v = 0.9 * state["momentum"]["w"] + 2 * (wrong @ x) / len(y) + 0.01 * w
    u = 0.9 * state["momentum"]["b"] + 2 * wrong.mean() + 0.01 * b
    rate = jnp.where(state["step"] < 4, 0.02 * (state["step"] + 1), 0.1)
    new = {"w": w - rate * v, "b": b - rate * u}
    step = state["step"] + jnp.int32(1)
    return {"params": new, "momentum": {"w": v, "b": u}, "step": step}, (wrong**2).mean()


def reverse_gradient(x, strength):
    strength = jax.lax.stop_gradient(strength)
    hidden = -strength * x
    return jax.lax.stop_gradient(x) + hidden - jax.lax.stop_gradient(hidden)


def export_classifier(params):
    first = params["w1"].reshape(4, 4, -1) / 255

    def one(image):
        hidden = jnp.maximum(jnp.einsum("ij,ijh->h", image, first) + params["b1"], 0)
        logits = params["b2"] + hidden @ params["w2"]
        return jnp.exp(logits - jax.nn.logsumexp(logits))

    spec = jax.export.symbolic_args_specs((jnp.zeros((1, 4, 4)),), "n, ...")
    platforms = ("tpu", "cpu", "rocm", "cuda")
    return bytes(jax.export.export(jax.jit(jax.vmap(one)), platforms=platforms)(*spec).serialize())
