# points: 0
# why: 업데이트 대신 기울기를 더함
import jax
import jax.numpy as jnp
import numpy as np
import optax


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
        return (optax.apply_updates(params, gradients), opt_state), loss

    carry, losses = jax.lax.scan(one_step, (params, tx.init(params)), jnp.arange(steps))
    return carry[0], losses
