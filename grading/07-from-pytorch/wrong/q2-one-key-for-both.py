# points: 5
# why: 뒤집기와 잡음을 같은 키로 뽑음
import jax
import jax.numpy as jnp


def augment(key, images):
    next_key, subkey = jax.random.split(key)
    flip = jax.random.bernoulli(subkey, 0.5, (images.shape[0],))
    images = jnp.where(flip[:, None, None], images[:, :, ::-1], images)
    return next_key, images + 0.1 * jax.random.normal(subkey, images.shape)
