# points: 1
# why: 기울기를 그대로 흘려보냄
import jax
import jax.numpy as jnp


def reverse_gradient(x, strength):
    @jax.custom_vjp
    def reverse(x, strength):
        return x

    def forward(x, strength):
        return x, strength

    def backward(strength, slope):
        return slope, jnp.zeros_like(strength)

    reverse.defvjp(forward, backward)
    return reverse(x, strength)
