# 한글 이름, 경고, 출력이 있어도 맞는 답은 맞는 답
import functools
import warnings

import jax
import jax.export
import jax.numpy as jnp

잡음_크기 = 0.1


def running_mean(상태, x):
    warnings.warn("float64가 float32로 바뀝니다 🐢")
    개수, 평균 = 상태
    합 = 평균 * 개수 + jnp.sum(x)
    새_개수 = 개수 + x.shape[0]
    return (새_개수, 합 / 새_개수), 합 / 새_개수


def augment(key, images):
    print("증강", images.shape)
    다음 = jax.random.fold_in(key, 0)
    뒤집기 = jax.random.fold_in(key, 1)
    잡음 = jax.random.fold_in(key, 2)
    고름 = jax.random.uniform(뒤집기, (images.shape[0], 1, 1)) < 0.5
    images = jax.lax.select(
        jnp.broadcast_to(고름, images.shape), jnp.flip(images, axis=2), images
    )
    return 다음, images + 잡음_크기 * jax.random.normal(잡음, images.shape)


def clip_gradient(gradient, max_norm, step, warmup_steps):
    제곱합 = sum(jnp.sum(jnp.square(잎)) for 잎 in jax.tree.leaves(gradient))
    넘침 = (제곱합 > max_norm**2) & (step >= warmup_steps)
    비율 = jnp.where(넘침, max_norm * jax.lax.rsqrt(jnp.where(넘침, 제곱합, 1.0)), 1.0)
    return jax.tree.map(lambda 잎: (잎 * 비율).astype(잎.dtype), gradient)


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


def 예측(params, 그림):
    x = jnp.reshape(그림, (-1, 16)) * (1 / 255)
    숨은값 = jnp.clip(jnp.dot(x, params["w1"]) + params["b1"], 0.0, None)
    지수 = jnp.exp(숨은값 @ params["w2"] + params["b2"])
    return 지수 / 지수.sum(axis=-1, keepdims=True)


def export_classifier(params):
    (배치,) = jax.export.symbolic_shape("b")
    꼴 = jax.ShapeDtypeStruct((배치, 4, 4), "float32")
    함수 = jax.jit(functools.partial(예측, jax.tree.map(jnp.asarray, params)))
    return jax.export.export(함수, platforms=("cpu", "cuda", "tpu"))(꼴).serialize()
