# points: 5
# why: 이동 평균을 상태가 아니라 밖의 리스트에 둠
import jax
import jax.numpy as jnp
import optax


def signum(learning_rate, decay):
    first = []

    def init(params):
        zeros = jax.tree.map(jnp.zeros_like, params)
        first.append(zeros)
        return jnp.int32(0), zeros

    def update(updates, state, params=None):
        count, m = state
        if not isinstance(count, jax.core.Tracer):
            m = first[-1]
        rate = learning_rate(count) if callable(learning_rate) else learning_rate
        m = jax.tree.map(lambda m, g: decay * m + (1 - decay) * g, m, updates)
        first.append(m)
        return jax.tree.map(lambda m: -rate * jnp.sign(m), m), (count + 1, m)

    return optax.GradientTransformation(init, update)
