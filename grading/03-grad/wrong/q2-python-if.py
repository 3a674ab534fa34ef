# points: 5
# why: 파이썬 if로 겹친 쌍을 골라 jit에서 멈춤
import jax
import jax.numpy as jnp


def pair_loss(a, b, same, margin):
    total = 0.0
    for i in range(len(a)):
        squared = jnp.sum((a[i] - b[i]) ** 2)
        if bool(same[i]):
            total = total + squared
        elif squared > 0:
            total = total + jnp.maximum(margin - jnp.sqrt(squared), 0.0) ** 2
        else:
            total = total + margin**2
    return total / len(a)
