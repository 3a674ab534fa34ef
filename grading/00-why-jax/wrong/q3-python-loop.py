# points: 2
# why: jit 안의 파이썬 반복문이라 예제 수만큼 loss가 돎
import jax
import jax.numpy as jnp


def per_example_gradients(loss):
    @jax.jit
    def many(w, x, y):
        each = [jax.grad(loss)(w, x[i], y[i]) for i in range(len(x))]
        return jax.tree.map(lambda *leaves: jnp.stack(leaves), *each)

    return many
