# points: 4
# why: 파이썬 반복이라 스텝마다 트레이싱함
import jax
import jax.numpy as jnp
import optax


def train_with_average(tx, loss, params, batches, decay):
    opt_state, average = tx.init(params), jax.tree.map(jnp.zeros_like, params)
    steps = len(jax.tree.leaves(batches)[0])
    for step in range(steps):
        batch = jax.tree.map(lambda leaf: leaf[step], batches)
        gradients = jax.grad(loss)(params, batch)
        updates, opt_state = tx.update(gradients, opt_state, params)
        params = optax.apply_updates(params, updates)
        average = optax.incremental_update(params, average, 1 - decay)
    return params, jax.tree.map(lambda a: a / (1 - decay**steps), average)
