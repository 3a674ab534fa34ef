# points: 0
# why: 배운 것을 apply에 숨김
import jax
import jax.numpy as jnp
import numpy as np
import optax


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

    learned = minimize(loss, params, key, 500)
    return {"unused": jnp.zeros(1)}, lambda params, x: apply(learned, x)
