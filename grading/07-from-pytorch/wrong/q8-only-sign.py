# points: 4
# why: strength를 곱하지 않음
import jax
import jax.numpy as jnp


def reverse_gradient(x, strength):
    @jax.custom_vjp
    def reverse(x, strength):
        return x

    def forward(x, strength):
        return x, strength

    def backward(strength, slope):
        return -slope, jnp.zeros_like(strength)

    reverse.defvjp(forward, backward)
    return reverse(x, strength)
