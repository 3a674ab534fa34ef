# points: 8
# why: 파이썬 반복문이라 스텝마다 프로그램이 커짐
import jax
import jax.numpy as jnp


def train(state, x, y, steps):
    root = jax.random.wrap_key_data(state["key"])

    def one_step(carry, i):
        w, velocity, step = carry
        rows = jax.random.randint(jax.random.fold_in(root, step), (8,), 0, len(x))

        def loss_of(w):
            return jnp.mean((x[rows] @ w - y[rows]) ** 2)

        loss, gradient = jax.value_and_grad(loss_of)(w)
        velocity = 0.9 * velocity + gradient
        return (w - 0.05 * velocity, velocity, step + 1), loss

    start = (state["w"], state["velocity"], state["step"])
    losses = []
    for i in range(steps):
        start, loss = one_step(start, i)
        losses.append(loss)
    (w, velocity, step), losses = start, jnp.stack(losses)
    return {**state, "w": w, "velocity": velocity, "step": step}, losses
