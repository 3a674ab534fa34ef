# points: 2
# why: Adam의 상태를 담지 않음
import jax
import jax.numpy as jnp
import numpy as np
import optax


def train_from(checkpoint, x, y, steps):
    tx = optax.adam(0.1)
    params = {"w": jnp.zeros((x.shape[1], 3)), "b": jnp.zeros(3)}
    state = (params, tx.init(params), jax.random.key_data(jax.random.key(0)))
    if checkpoint is not None:
        params = {"w": jnp.asarray(checkpoint["w"]), "b": jnp.asarray(checkpoint["b"])}
        state = (params, tx.init(params), jnp.asarray(checkpoint["key"]))

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
    saved = {"w": state[0]["w"], "b": state[0]["b"], "key": state[2]}
    return {n: np.asarray(v) for n, v in saved.items()}, jnp.stack(losses)
