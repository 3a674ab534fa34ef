# 다른 길로 간 답: optax와 nnx에 있는 것을 더 쓰고, 반복은 파이썬으로 적음
import jax
import jax.numpy as jnp
import numpy as np
import optax
from flax import nnx


def make_mlp(key, sizes):
    initializer = jax.nn.initializers.variance_scaling(2.0, "fan_in", "normal")
    params = []
    for index, (inputs, outputs) in enumerate(zip(sizes[:-1], sizes[1:])):
        kernel = initializer(jax.random.fold_in(key, index), (inputs, outputs))
        params.append({"bias": jnp.zeros((outputs,)), "kernel": kernel})

    def apply(layers, x):
        for index, layer in enumerate(layers):
            x = jnp.dot(x, layer["kernel"]) + layer["bias"]
            x = jnp.maximum(x, 0) if index + 1 < len(layers) else x
        return x

    return params, apply, sum((n + 1) * m for n, m in zip(sizes[:-1], sizes[1:]))


def signum(learning_rate, decay):
    sign = optax.GradientTransformation(
        lambda params: optax.EmptyState(),
        lambda updates, state, params=None: (jax.tree.map(jnp.sign, updates), state),
    )
    return optax.chain(
        optax.ema(decay, debias=False), sign, optax.scale_by_learning_rate(learning_rate)
    )


def make_optimizer(learning_rate, weight_decay, limit):
    def decays(tree, inside=False):
        if isinstance(tree, dict):
            return {name: decays(value, inside or "embed" in name) for name, value in tree.items()}
        return jnp.ndim(tree) >= 2 and not inside

    return optax.chain(
        optax.clip_by_global_norm(limit),
        optax.scale_by_adam(),
        optax.masked(optax.add_decayed_weights(weight_decay), decays),
        optax.scale(-learning_rate),
    )


def train(params, x, y, key, steps):
    rate = optax.linear_schedule(0.1, 0.0, steps)
    tx = optax.chain(
        optax.clip_by_global_norm(1.0),
        optax.scale_by_adam(),
        optax.add_decayed_weights(0.1),
        optax.scale_by_learning_rate(rate),
    )
    opt_state = tx.init(params)
    losses = []
    for step in range(steps):
        rows = jax.random.choice(jax.random.fold_in(key, step), len(x), (8,), replace=False)

        def loss_fn(params):
            logp = jax.nn.log_softmax(x[rows] @ params["kernel"] + params["bias"])
            return -logp[jnp.arange(8), y[rows]].mean()

        loss, gradients = jax.value_and_grad(loss_fn)(params)
        updates, opt_state = tx.update(gradients, opt_state, params)
        params = optax.apply_updates(params, updates)
        losses.append(loss)
    return params, jnp.stack(losses)


def train_with_average(tx, loss, params, batches, decay):
    def step(carry, batch):
        params, opt_state, total, weight = carry
        updates, opt_state = tx.update(jax.grad(loss)(params, batch), opt_state, params)
        params = jax.tree.map(jnp.add, params, updates)
        total = jax.tree.map(lambda a, p: decay * a + p, total, params)
        return (params, opt_state, total, decay * weight + 1), None

    start = (params, tx.init(params), jax.tree.map(jnp.zeros_like, params), jnp.float32(0))
    (params, _, total, weight), _ = jax.lax.scan(step, start, batches)
    return params, jax.tree.map(lambda a: a / weight, total)


def train_from(checkpoint, x, y, steps):
    tx = optax.adam(0.1)
    if checkpoint is None:
        params = {"w": jnp.zeros((x.shape[1], 3)), "b": jnp.zeros((3,))}
        adam = tx.init(params)[0]
        key = jax.random.key(0)
    else:
        saved = {name: jnp.asarray(value) for name, value in checkpoint.items()}
        params = {name: saved["p" + name] for name in "wb"}
        adam = optax.ScaleByAdamState(
            saved["count"], {n: saved["m" + n] for n in "wb"}, {n: saved["v" + n] for n in "wb"}
        )
        key = jax.random.wrap_key_data(saved["key"])
    opt_state = (adam, tx.init(params)[1])

    @jax.jit
    def advance(params, opt_state, key):
        key, subkey = jax.random.split(key)
        noisy = x + 0.1 * jax.random.normal(subkey, x.shape)

        def loss_fn(p):
            logp = jax.nn.log_softmax(noisy @ p["w"] + p["b"])
            return -jnp.take_along_axis(logp, y[:, None], axis=1).mean()

        loss, gradients = jax.value_and_grad(loss_fn)(params)
        updates, opt_state = tx.update(gradients, opt_state, params)
        return optax.apply_updates(params, updates), opt_state, key, loss

    losses = []
    for _ in range(steps):
        params, opt_state, key, loss = advance(params, opt_state, key)
        losses.append(loss)
    out = {"key": jax.random.key_data(key), "count": opt_state[0].count}
    for n in "wb":
        out |= {"p" + n: params[n], "m" + n: opt_state[0].mu[n], "v" + n: opt_state[0].nu[n]}
    return {name: np.asarray(value) for name, value in out.items()}, jnp.array(losses)


def to_plain(model):
    kinds, params = [], {}
    for index, layer in enumerate(model.layers):
        if isinstance(layer, nnx.Linear):
            kinds.append("linear")
        elif isinstance(layer, nnx.LayerNorm):
            kinds.append(float(layer.epsilon))
        else:
            kinds.append(layer)
            continue
        pure = nnx.to_pure_dict(nnx.state(layer, nnx.Param))
        params[str(index)] = {n: jnp.copy(v) for n, v in pure.items() if v is not None}

    def apply(params, x):
        for index, kind in enumerate(kinds):
            own = params.get(str(index))
            if kind == "linear":
                x = jnp.matmul(x, own["kernel"])
                x = x + own["bias"] if "bias" in own else x
            elif isinstance(kind, float):
                normal = jax.nn.standardize(x, axis=-1, epsilon=kind)
                x = normal * own["scale"] + own["bias"]
            else:
                x = kind(x)
        return x

    return params, apply


class Small(nnx.Module):
    """3×3 합성곱 둘을 조각과 행렬의 곱으로 적은 모델."""

    def __init__(self, rngs):
        self.first = nnx.Linear(9, 18, rngs=rngs)
        self.second = nnx.Linear(162, 22, rngs=rngs)
        self.head = nnx.Linear(88, 10, rngs=rngs)

    def __call__(self, x):
        x = x.reshape(-1, 8, 8, 1)
        for layer in (self.first, self.second):
            x = nnx.relu(layer(self.around(x)))
        return self.head(x.reshape(len(x), -1))

    def around(self, x):
        """한 칸 건너마다 그 둘레 3×3의 값들."""
        places = np.arange(x.shape[1] ** 2).reshape(x.shape[1], -1)
        places = np.pad(places, 1, constant_values=places.size)
        near = np.lib.stride_tricks.sliding_window_view(places, (3, 3))[::2, ::2]
        flat = jnp.pad(x.reshape(len(x), -1, x.shape[-1]), ((0, 0), (0, 1), (0, 0)))
        return flat[:, near.reshape(*near.shape[:2], 9)].reshape(len(x), *near.shape[:2], -1)


def fit_digits(x, y, seed):
    x, y = jnp.asarray(x), jnp.asarray(y)
    graphdef, start = nnx.split(Small(nnx.Rngs(seed)))
    params, tree = jax.tree.flatten(start)
    tx = optax.adamw(optax.cosine_decay_schedule(1e-2, 500), weight_decay=1e-3)

    def apply(params, x):
        return nnx.merge(graphdef, jax.tree.unflatten(tree, params))(x)

    @jax.jit
    def step(params, state, rows):
        def loss(params):
            logp = jax.nn.log_softmax(apply(params, x[rows]))
            right = jnp.take_along_axis(logp, y[rows][:, None], axis=1)
            return -0.9 * right.mean() - 0.1 * logp.mean()

        updates, state = tx.update(jax.grad(loss)(params), state, params)
        return optax.apply_updates(params, updates), state

    state, rng = tx.init(params), np.random.default_rng(seed)
    for _ in range(500):
        params, state = step(params, state, rng.integers(0, len(x), 64))
    return params, apply
