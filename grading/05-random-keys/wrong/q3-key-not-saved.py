# points: 2
# why: 나누어 가던 키를 state에 담지 않음
import jax
import jax.numpy as jnp


def train(state, x, y, steps):
    def one_step(carry, _):
        w, velocity, key = carry
        key, subkey = jax.random.split(key)
        rows = jax.random.randint(subkey, (8,), 0, len(x))
        error = x[rows] @ w - y[rows]
        velocity = 0.9 * velocity + 2 * x[rows].T @ error / 8
        return (w - 0.05 * velocity, velocity, key), jnp.mean(error**2)

    start = (state["w"], state["velocity"], jax.random.wrap_key_data(state["key"]))
    (w, velocity, _), losses = jax.lax.scan(one_step, start, length=steps)
    step = state["step"] + jnp.int32(steps)
    return {**state, "w": w, "velocity": velocity, "step": step}, losses
