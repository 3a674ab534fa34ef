# points: 7
# why: 스텝마다 같은 키로 같은 행을 뽑음
import jax
import jax.numpy as jnp


def train(state, x, y, steps):
    root = jax.random.wrap_key_data(state["key"])

    def one_step(carry, i):
        w, velocity, step = carry
        rows = jax.random.randint(root, (8,), 0, len(x))

        def loss_of(w):
            return jnp.mean((x[rows] @ w - y[rows]) ** 2)

        loss, gradient = jax.value_and_grad(loss_of)(w)
        velocity = 0.9 * velocity + gradient
        return (w - 0.05 * velocity, velocity, step + 1), loss

    start = (state["w"], state["velocity"], state["step"])
    (w, velocity, step), losses = jax.lax.scan(one_step, start, jnp.arange(steps))
    return {**state, "w": w, "velocity": velocity, "step": step}, losses
