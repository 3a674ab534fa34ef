# points: 4
# why: 파라미터가 배열 하나라고 가정함
import jax
import jax.numpy as jnp


def per_example_gradients(loss):
    mapped = jax.vmap(jax.grad(loss), in_axes=(None, 0, 0))
    return jax.jit(lambda w, x, y: jnp.asarray(mapped(w, x, y)))
