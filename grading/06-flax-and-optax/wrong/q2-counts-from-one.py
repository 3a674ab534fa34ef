# points: 4
# why: 스케줄의 스텝 번호가 1에서 시작
import jax
import jax.numpy as jnp
import numpy as np
import optax


def signum(learning_rate, decay):
    def init(params):
        return jnp.int32(0), jax.tree.map(jnp.zeros_like, params)

    def update(updates, state, params=None):
        count, m = state
        rate = learning_rate(count + 1) if callable(learning_rate) else learning_rate
        m = jax.tree.map(lambda m, g: decay * m + (1 - decay) * g, m, updates)
        return jax.tree.map(lambda m: -rate * jnp.sign(m), m), (count + 1, m)

    return optax.GradientTransformation(init, update)
