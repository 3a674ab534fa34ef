# points: 3
# why: 부를 때마다 jit을 새로 씌움
import jax


def per_example_gradients(loss):
    def many(w, x, y):
        one = jax.grad(lambda w, x, y: loss(w, x, y))
        return jax.jit(jax.vmap(one, in_axes=(None, 0, 0)))(w, x, y)

    return many
