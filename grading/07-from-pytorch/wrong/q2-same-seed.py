# points: 1
# why: 함수 안에서 씨앗을 고정해 모든 배치가 같은 잡음을 받음
import jax
import jax.numpy as jnp


def augment(key, images):
    key = jax.random.key(0)
    key, flip_key, noise_key = jax.random.split(key, 3)
    flip = jax.random.bernoulli(flip_key, 0.5, (images.shape[0], 1, 1))
    images = jnp.where(flip, images[:, :, ::-1], images)
    return key, images + 0.1 * jax.random.normal(noise_key, images.shape)
