# points: 4
# why: 스텝 번호만 담고 처음부터 다시 계산함
import jax
import jax.numpy as jnp
import numpy as np
import optax


def train_from(checkpoint, x, y, steps):
    done = 0 if checkpoint is None else int(checkpoint["step"])
    tx, key = optax.adam(0.1), jax.random.key(0)
    params = {"w": jnp.zeros((x.shape[1], 3)), "b": jnp.zeros(3)}
    opt_state = tx.init(params)

    @jax.jit
    def step(params, opt_state, key):
        key, subkey = jax.random.split(key)
        noisy = x + 0.1 * jax.random.normal(subkey, x.shape)

        def loss_fn(p):
            logits = noisy @ p["w"] + p["b"]
            return optax.softmax_cross_entropy_with_integer_labels(logits, y).mean()

        loss, gradients = jax.value_and_grad(loss_fn)(params)
        updates, opt_state = tx.update(gradients, opt_state)
        return optax.apply_updates(params, updates), opt_state, key, loss

    losses = []
    for _ in range(done + steps):
        params, opt_state, key, loss = step(params, opt_state, key)
        losses.append(loss)
    return {"step": np.asarray(done + steps)}, jnp.stack(losses[done:])
