# points: 0
# why: 열 걸음만 학습
import jax
import jax.numpy as jnp
import numpy as np
import optax
from flax import nnx


def minimize(loss, params, key, steps, learning_rate=1e-2):
    tx = optax.adamw(optax.cosine_decay_schedule(learning_rate, steps), weight_decay=1e-3)

    def step(carry, key):
        params, opt_state = carry
        gradients = jax.grad(loss)(params, key)
        updates, opt_state = tx.update(gradients, opt_state, params)
        return (optax.apply_updates(params, updates), opt_state), None

    run = jax.jit(lambda carry, keys: jax.lax.scan(step, carry, keys)[0])
    return run((params, tx.init(params)), jax.random.split(key, steps))[0]


def digits_model(key, width=12):
    shapes = {"conv1": (3, 3, 1, width), "conv2": (3, 3, width, 24), "dense": (96, 10)}
    params = {
        name: jax.random.normal(k, shape) * np.sqrt(2 / np.prod(shape[:-1]))
        for k, (name, shape) in zip(jax.random.split(key, 3), shapes.items())
    }
    return params | {"bias1": jnp.zeros(width), "bias2": jnp.zeros(24)}


def digits_logits(params, x):
    x = x.reshape(-1, 8, 8, 1)
    for kernel, bias in (("conv1", "bias1"), ("conv2", "bias2")):
        x = jax.lax.conv_general_dilated(
            x, params[kernel], (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC")
        )
        x = nnx.max_pool(jax.nn.relu(x + params[bias]), (2, 2), strides=(2, 2))
    return x.reshape(len(x), -1) @ params["dense"]


def digits_loss(x, y):
    def loss(params, key):
        rows = jax.random.randint(key, (64,), 0, len(x))
        logits = digits_logits(params, x[rows])
        return optax.softmax_cross_entropy_with_integer_labels(logits, y[rows]).mean()

    return loss


def fit_digits(x, y, seed):
    key, model_key = jax.random.split(jax.random.key(seed))
    loss = digits_loss(jnp.asarray(x), jnp.asarray(y))
    return minimize(loss, digits_model(model_key), key, 5), digits_logits
