# points: 5
# why: 배치 전체를 한꺼번에 뒤집음
import jax
import jax.numpy as jnp


def augment(key, images):
    key, flip_key, noise_key = jax.random.split(key, 3)
    images = jnp.where(jax.random.bernoulli(flip_key), images[:, :, ::-1], images)
    return key, images + 0.1 * jax.random.normal(noise_key, images.shape)
