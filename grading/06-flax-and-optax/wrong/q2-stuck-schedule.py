# points: 4
# why: 스텝 번호를 늘리지 않음
import jax
import jax.numpy as jnp
import numpy as np
import optax


def signum(learning_rate, decay):
    def init(params):
        return jnp.int32(0), jax.tree.map(jnp.zeros_like, params)

    def update(updates, state, params=None):
        count, m = state
        rate = learning_rate(count) if callable(learning_rate) else learning_rate
        m = jax.tree.map(lambda m, g: decay * m + (1 - decay) * g, m, updates)
        return jax.tree.map(lambda m: -rate * jnp.sign(m), m), (count, m)

    return optax.GradientTransformation(init, update)
