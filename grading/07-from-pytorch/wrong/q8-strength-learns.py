# points: 4
# why: strength로도 기울기가 흐름
import jax
import jax.numpy as jnp


def reverse_gradient(x, strength):
    @jax.custom_vjp
    def reverse(x, strength):
        return x

    def forward(x, strength):
        return x, strength

    def backward(strength, slope):
        return -strength * slope, jnp.ones_like(strength)

    reverse.defvjp(forward, backward)
    return reverse(x, strength)
