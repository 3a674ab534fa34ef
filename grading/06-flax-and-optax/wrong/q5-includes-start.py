# points: 0
# why: 처음 파라미터에서 평균을 시작
import jax
import optax


def train_with_average(tx, loss, params, batches, decay):
    def step(carry, batch):
        params, opt_state, average = carry
        gradients = jax.grad(loss)(params, batch)
        updates, opt_state = tx.update(gradients, opt_state, params)
        params = optax.apply_updates(params, updates)
        average = optax.incremental_update(params, average, 1 - decay)
        return (params, opt_state, average), None

    zeros = params
    (params, _, average), _ = jax.lax.scan(step, (params, tx.init(params), zeros), batches)
    steps = len(jax.tree.leaves(batches)[0])
    return params, jax.tree.map(lambda a: a, average)
