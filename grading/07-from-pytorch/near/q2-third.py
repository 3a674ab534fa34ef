# points: 5
# why: 3분의 1의 확률로 뒤집음
import jax
import jax.numpy as jnp
import numpy as np
from jax import export


def augment(key, images):
    next_key, flip_key, noise_key = jax.random.split(key, 3)
    flip = jax.random.bernoulli(flip_key, 1 / 3, (images.shape[0],))
    flipped = jnp.where(flip[:, None, None], images[:, :, ::-1], images)
    noise = 0.1 * jax.random.normal(noise_key, images.shape)
    return next_key, flipped + noise
