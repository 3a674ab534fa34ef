# 풀이 노트북과 같은 방식
import jax
import jax.numpy as jnp
from jax import export


def running_mean(state, x):
    count, mean = state
    total = count + x.shape[0]
    new_mean = mean + (jnp.sum(x) - x.shape[0] * mean) / total
    return (total, new_mean), new_mean


def augment(key, images):
    next_key, flip_key, noise_key = jax.random.split(key, 3)
    flip = jax.random.bernoulli(flip_key, 0.5, (images.shape[0],))
    flipped = jnp.where(flip[:, None, None], images[:, :, ::-1], images)
    noise = 0.1 * jax.random.normal(noise_key, images.shape)
    return next_key, flipped + noise


def clip_gradient(gradient, max_norm, step, warmup_steps):
    leaves = [leaf.astype(jnp.float32) for leaf in jax.tree.leaves(gradient)]
    total = sum(jnp.sum(leaf**2) for leaf in leaves)
    norm = jnp.sqrt(jnp.where(total > 0, total, 1.0))
    scale = jnp.where(total > max_norm**2, max_norm / norm, 1.0)
    scale = jnp.where(step < warmup_steps, 1.0, scale)
    return jax.tree.map(lambda leaf: (leaf * scale).astype(leaf.dtype), gradient)


def translate(t):
    centered = t - t.mean(axis=1, keepdims=True)
    return {
        "a": t.std(axis=0, ddof=1),
        "b": jnp.sort(t.ravel())[(t.size - 1) // 2],
        "c": t.max(axis=1),
        "d": jnp.tile(t, (2, 1)),
        "e": jnp.repeat(t, 2, axis=0),
        "f": jax.nn.gelu(t, approximate=False),
        "g": centered / jnp.sqrt(t.var(axis=1, keepdims=True) + 1e-5),
        "h": t[0].at[1].add(3.0),
        "i": jnp.where(t > 0, -1.0, t),
        "j": jnp.pad(t, ((0, 0), (1, 0))),
        "k": (jax.nn.logsumexp(t, axis=1) - t[:, 0]).mean(),
        "l": -t.sum() / len(t),
    }


def convert_weights(kind, weights, heads):
    if kind == "attention":
        width = weights["in_proj_weight"].shape[1]
        kernels = jnp.split(weights["in_proj_weight"], 3)
        biases = jnp.split(weights["in_proj_bias"], 3)
        return {
            name: {"kernel": kernel.T.reshape(width, heads, -1), "bias": bias.reshape(heads, -1)}
            for name, kernel, bias in zip(("query", "key", "value"), kernels, biases)
        }
    names = {"bias": "bias", "running_mean": "mean", "running_var": "var"}
    target = {"norm": "scale", "embedding": "embedding"}.get(kind, "kernel")
    new = {names[name]: value for name, value in weights.items() if name in names}
    order = {"linear": (1, 0), "conv": (2, 3, 1, 0)}.get(kind)
    new[target] = jnp.transpose(weights["weight"], order) if order else weights["weight"]
    return new


def residual_block(params, stats, x, train):
    y = jax.lax.conv_general_dilated(
        x, params["kernel"], (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC")
    )
    mean, var = stats["mean"], stats["var"]
    if train:
        mean, var = y.mean(axis=(0, 1, 2)), y.var(axis=(0, 1, 2))
        count = y.size // y.shape[-1]
        stats = {
            "mean": 0.9 * stats["mean"] + 0.1 * mean,
            "var": 0.9 * stats["var"] + 0.1 * var * count / (count - 1),
        }
    normal = (y - mean) / jnp.sqrt(var + 1e-5)
    return jax.nn.relu(x + normal * params["scale"] + params["bias"]), stats


def train_step(state, x, y):
    def loss_of(params):
        return jnp.mean((x @ params["w"] + params["b"] - y) ** 2)

    params, step = state["params"], state["step"]
    loss, gradient = jax.value_and_grad(loss_of)(params)
    learning_rate = 0.1 * jnp.minimum(1.0, (step + 1) / 5)
    momentum = jax.tree.map(
        lambda m, g, p: 0.9 * m + g + 0.01 * p, state["momentum"], gradient, params
    )
    params = jax.tree.map(lambda p, m: p - learning_rate * m, params, momentum)
    return {"params": params, "momentum": momentum, "step": step + 1}, loss


def reverse_gradient(x, strength):
    @jax.custom_vjp
    def reverse(x, strength):
        return x

    def forward(x, strength):
        return x, strength

    def backward(strength, slope):
        return -strength * slope, jnp.zeros_like(strength)

    reverse.defvjp(forward, backward)
    return reverse(x, strength)


def export_classifier(params):
    def predict(images):
        x = images.reshape(images.shape[0], 16) / 255
        hidden = jax.nn.relu(x @ params["w1"] + params["b1"])
        return jax.nn.softmax(hidden @ params["w2"] + params["b2"])

    shape = jax.ShapeDtypeStruct(export.symbolic_shape("batch, 4, 4"), jnp.float32)
    exported = export.export(jax.jit(predict), platforms=["cpu", "cuda", "tpu"])
    return exported(shape).serialize()
