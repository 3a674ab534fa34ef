def three_steps(tx):
    params = {"w": jnp.array([1.0, -2.0])}
    state = tx.init(params)
    for scale in (1.0, -3.0, 0.5):
        gradients = {"w": scale * jnp.array([0.5, -4.0])}
        updates, state = tx.update(gradients, state, params)
        params = optax.apply_updates(params, updates)
    return params["w"]
