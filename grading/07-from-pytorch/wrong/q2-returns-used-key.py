# points: 5
# why: 잡음에 쓴 키를 다음 키로 돌려줌
import jax
import jax.numpy as jnp


def augment(key, images):
    flip_key, noise_key = jax.random.split(key)
    flip = jax.random.bernoulli(flip_key, 0.5, (images.shape[0],))
    images = jnp.where(flip[:, None, None], images[:, :, ::-1], images)
    return noise_key, images + 0.1 * jax.random.normal(noise_key, images.shape)
