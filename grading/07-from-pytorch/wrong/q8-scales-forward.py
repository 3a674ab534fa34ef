# points: 4
# why: 순전파에도 곱함
import jax
import jax.numpy as jnp


def reverse_gradient(x, strength):
    @jax.custom_vjp
    def reverse(x, strength):
        return -strength * x

    def forward(x, strength):
        return -strength * x, strength

    def backward(strength, slope):
        return -strength * slope, jnp.zeros_like(strength)

    reverse.defvjp(forward, backward)
    return reverse(x, strength)
