# points: 0
# why: 파라미터까지 배치로 보아 크기가 맞지 않음
import jax


def per_example_gradients(loss):
    return jax.jit(jax.vmap(jax.grad(loss)))
