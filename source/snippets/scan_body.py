def body(h, _):
    for _ in range(6):
        h = jnp.tanh(1.1 * h) + 0.1
    return h, None


def run(body, steps):
    return lambda h: jnp.sum(jax.lax.scan(body, h, length=steps)[0])


def temporary_megabytes(loss, *arguments):
    compiled = jax.jit(jax.grad(loss)).lower(*arguments).compile()
    return compiled.memory_analysis().temp_size_in_bytes / 2**20
