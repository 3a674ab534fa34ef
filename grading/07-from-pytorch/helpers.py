# 채점자의 프로세스에서 도는 코드: 키 하나에서 바로 뽑으면 나오는 값들
import jax
import jax.numpy as jnp


def direct_draws(key, shape):
    """shape (배치, 높이, 너비)에 대해 key를 바로, 또는 이미지마다 나눠 쓴 잡음과 뒤집기."""
    batch, height, width = shape
    each = jax.random.split(key, batch)
    noises = [
        jax.random.normal(key, (batch, height, width)),
        jax.random.normal(key, (batch * height * width,)).reshape(batch, height, width),
        jax.vmap(lambda k: jax.random.normal(k, (height, width)))(each),
    ]
    flips = [
        jax.random.uniform(key, (batch,)) < 0.5,
        jax.vmap(lambda k: jax.random.uniform(k))(each) < 0.5,
    ]
    return {"noises": jnp.stack(noises), "flips": jnp.stack(flips)}
