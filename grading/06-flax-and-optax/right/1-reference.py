# 풀이 노트북과 같은 방식
import jax
import jax.numpy as jnp
import numpy as np
import optax
from flax import nnx


def make_mlp(key, sizes):
    keys = jax.random.split(key, len(sizes) - 1)
    params = [
        {"kernel": jax.random.normal(k, (n, m)) * np.sqrt(2 / n), "bias": jnp.zeros(m)}
        for k, n, m in zip(keys, sizes, sizes[1:])
    ]

    def apply(params, x):
        *hidden, last = params
        for layer in hidden:
            x = jax.nn.relu(x @ layer["kernel"] + layer["bias"])
        return x @ last["kernel"] + last["bias"]

    return params, apply, sum(leaf.size for leaf in jax.tree.leaves(params))


def signum(learning_rate, decay):
    def init(params):
        return jnp.int32(0), jax.tree.map(jnp.zeros_like, params)

    def update(updates, state, params=None):
        count, m = state
        rate = learning_rate(count) if callable(learning_rate) else learning_rate
        m = jax.tree.map(lambda m, g: decay * m + (1 - decay) * g, m, updates)
        return jax.tree.map(lambda m: -rate * jnp.sign(m), m), (count + 1, m)

    return optax.GradientTransformation(init, update)


def make_optimizer(learning_rate, weight_decay, limit):
    def decays(params):
        return jax.tree_util.tree_map_with_path(
            lambda path, p: p.ndim > 1 and "embed" not in jax.tree_util.keystr(path), params
        )

    return optax.chain(
        optax.clip_by_global_norm(limit),
        optax.adamw(learning_rate, weight_decay=weight_decay, mask=decays),
    )


def train(params, x, y, key, steps):
    schedule = optax.linear_schedule(0.1, 0.0, steps)
    adam = optax.adamw(schedule, weight_decay=0.1)
    tx = optax.chain(optax.clip_by_global_norm(1.0), adam)

    def one_step(carry, step):
        params, opt_state = carry
        rows = jax.random.choice(jax.random.fold_in(key, step), len(x), (8,), replace=False)

        def loss_fn(params):
            logits = x[rows] @ params["kernel"] + params["bias"]
            losses = optax.softmax_cross_entropy_with_integer_labels(logits, y[rows])
            return jnp.mean(losses)

        loss, gradients = jax.value_and_grad(loss_fn)(params)
        updates, opt_state = tx.update(gradients, opt_state, params)
        return (optax.apply_updates(params, updates), opt_state), loss

    carry, losses = jax.lax.scan(one_step, (params, tx.init(params)), jnp.arange(steps))
    return carry[0], losses


def train_with_average(tx, loss, params, batches, decay):
    def step(carry, batch):
        params, opt_state, average = carry
        gradients = jax.grad(loss)(params, batch)
        updates, opt_state = tx.update(gradients, opt_state, params)
        params = optax.apply_updates(params, updates)
        average = optax.incremental_update(params, average, 1 - decay)
        return (params, opt_state, average), None

    zeros = jax.tree.map(jnp.zeros_like, params)
    (params, _, average), _ = jax.lax.scan(step, (params, tx.init(params), zeros), batches)
    steps = len(jax.tree.leaves(batches)[0])
    return params, jax.tree.map(lambda a: a / (1 - decay**steps), average)


def train_from(checkpoint, x, y, steps):
    tx = optax.adam(0.1)
    params = {"w": jnp.zeros((x.shape[1], 3)), "b": jnp.zeros(3)}
    state = (params, tx.init(params), jax.random.key_data(jax.random.key(0)))
    if checkpoint is not None:
        leaves = [jnp.asarray(checkpoint[name]) for name in sorted(checkpoint)]
        state = jax.tree.unflatten(jax.tree.structure(state), leaves)

    def loss_fn(params, x):
        logits = x @ params["w"] + params["b"]
        return optax.softmax_cross_entropy_with_integer_labels(logits, y).mean()

    @jax.jit
    def step(state):
        params, opt_state, data = state
        key, subkey = jax.random.split(jax.random.wrap_key_data(data))
        noisy = x + 0.1 * jax.random.normal(subkey, x.shape)
        loss, gradients = jax.value_and_grad(loss_fn)(params, noisy)
        updates, opt_state = tx.update(gradients, opt_state)
        params = optax.apply_updates(params, updates)
        return (params, opt_state, jax.random.key_data(key)), loss

    losses = []
    for _ in range(steps):
        state, loss = step(state)
        losses.append(loss)
    leaves = jax.tree.leaves(state)
    return {f"{i:02}": np.asarray(v) for i, v in enumerate(leaves)}, jnp.stack(losses)


def to_plain(model):
    params, steps = [], []
    for layer in model.layers:
        values = {}
        for name in ("kernel", "scale", "bias"):
            box = getattr(layer, name, None)
            if isinstance(box, nnx.Variable) and box[...] is not None:
                values[name] = jnp.array(box[...])
        params.append(values)
        steps.append(getattr(layer, "epsilon", layer))

    def apply(params, x):
        for values, step in zip(params, steps):
            if "kernel" in values:
                x = x @ values["kernel"] + values.get("bias", 0.0)
            elif "scale" in values:
                x = x - x.mean(-1, keepdims=True)
                x = x / jnp.sqrt(jnp.square(x).mean(-1, keepdims=True) + step)
                x = x * values["scale"] + values["bias"]
            else:
                x = step(x)
        return x

    return params, apply


def minimize(loss, params, key, steps, learning_rate=1e-2):
    tx = optax.adamw(optax.cosine_decay_schedule(learning_rate, steps), weight_decay=1e-3)

    def step(carry, key):
        params, opt_state = carry
        gradients = jax.grad(loss)(params, key)
        updates, opt_state = tx.update(gradients, opt_state, params)
        return (optax.apply_updates(params, updates), opt_state), None

    run = jax.jit(lambda carry, keys: jax.lax.scan(step, carry, keys)[0])
    return run((params, tx.init(params)), jax.random.split(key, steps))[0]


def windows(side):
    places = np.pad(np.arange(side**2).reshape(side, side), 1, constant_values=side**2)
    corners = range(0, side, 2)
    return np.stack([places[i : i + 3, j : j + 3].ravel() for i in corners for j in corners])


def fit_digits(x, y, seed):
    key, *keys = jax.random.split(jax.random.key(seed), 4)
    shapes = {"conv1": (9, 16), "conv2": (144, 24), "dense": (96, 10)}
    params = {
        name: jax.random.normal(k, shape) * np.sqrt(2 / shape[0])
        for k, (name, shape) in zip(keys, shapes.items())
    } | {"bias1": jnp.zeros(16), "bias2": jnp.zeros(24)}
    x, y = jnp.asarray(x), jnp.asarray(y)

    def apply(params, x):
        x = x[..., None]
        for n, side in (("1", 8), ("2", 4)):
            x = jnp.pad(x, ((0, 0), (0, 1), (0, 0)))[:, windows(side)]
            x = x.reshape(*x.shape[:2], -1) @ params["conv" + n]
            x = jax.nn.relu(x + params["bias" + n])
        return x.reshape(len(x), -1) @ params["dense"]

    def loss(params, key):
        rows = jax.random.randint(key, (64,), 0, len(x))
        answers = optax.smooth_labels(jax.nn.one_hot(y[rows], 10), 0.1)
        return optax.softmax_cross_entropy(apply(params, x[rows]), answers).mean()

    return minimize(loss, params, key, 500), apply
