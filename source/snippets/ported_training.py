@jax.jit
def train_step(state, images, target):
    traces.append(images.shape)  # 트레이싱할 때만 실행됩니다
    params, opt_state = state
    loss, gradient = jax.value_and_grad(loss_of)(params, images, target)
    updates, opt_state = tx.update(gradient, opt_state, params)
    return (optax.apply_updates(params, updates), opt_state), loss


def run(state, batches):
    losses = []
    for batch in batches:
        state, loss = train_step(state, flat[batch], labels[batch])
        losses.append(loss)
    return state, np.array(losses)
