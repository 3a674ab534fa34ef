# points: 0
# why: 평균에서 기울기를 구함
import jax
import jax.numpy as jnp
import numpy as np
import optax


def train_with_average(tx, loss, params, batches, decay):
    def step(carry, batch):
        params, opt_state, average = carry
        gradients = jax.grad(loss)(average, batch)
        updates, opt_state = tx.update(gradients, opt_state, params)
        params = optax.apply_updates(params, updates)
        average = optax.incremental_update(params, average, 1 - decay)
        return (params, opt_state, average), None

    zeros = jax.tree.map(jnp.zeros_like, params)
    (params, _, average), _ = jax.lax.scan(step, (params, tx.init(params), zeros), batches)
    steps = len(jax.tree.leaves(batches)[0])
    return params, jax.tree.map(lambda a: a / (1 - decay**steps), average)
