# points: 4
# why: 배치의 모든 이미지에 같은 잡음을 더함
import jax
import jax.numpy as jnp


def augment(key, images):
    key, flip_key, noise_key = jax.random.split(key, 3)
    flip = jax.random.bernoulli(flip_key, 0.5, (images.shape[0],))
    images = jnp.where(flip[:, None, None], images[:, :, ::-1], images)
    return key, images + 0.1 * jax.random.normal(noise_key, images.shape[1:])
