# points: 0
# why: 잡음을 더하지 않음
import jax
import jax.numpy as jnp
import numpy as np
import optax


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
        noisy = x
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
