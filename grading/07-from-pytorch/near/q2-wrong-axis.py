# points: 5
# why: 위아래로 뒤집음
import jax
import jax.numpy as jnp
import numpy as np
from jax import export


def augment(key, images):
    next_key, flip_key, noise_key = jax.random.split(key, 3)
    flip = jax.random.bernoulli(flip_key, 0.5, (images.shape[0],))
    flipped = jnp.where(flip[:, None, None], images[:, ::-1, :], images)
    noise = 0.1 * jax.random.normal(noise_key, images.shape)
    return next_key, flipped + noise
