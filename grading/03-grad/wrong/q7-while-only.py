# points: 5
# why: while_loop만 써서 역방향이 막힘
import jax
import jax.numpy as jnp


def fixed_point(f, theta, start):
    def going(state):
        z, old, count = state
        return (jnp.max(jnp.abs(z - old)) > 1e-6) & (count < 1000)

    def body(state):
        z, _, count = state
        return f(theta, z), z, count + 1

    return jax.lax.while_loop(going, body, (f(theta, start), start, 1))[0]
