# points: 3
# why: jit을 씌우지 않아 부를 때마다 loss가 돎
import jax


def per_example_gradients(loss):
    return jax.vmap(jax.grad(loss), in_axes=(None, 0, 0))
