# points: 5
# why: 키 하나로 둘 다 뽑음
import jax
import jax.numpy as jnp
import numpy as np
from jax import export


def augment(key, images):
    next_key, flip_key, noise_key = jax.random.split(key, 3)
    flip = jax.random.bernoulli(flip_key, 0.5, (images.shape[0],))
    flipped = jnp.where(flip[:, None, None], images[:, :, ::-1], images)
    noise = 0.1 * jax.random.normal(flip_key, images.shape)
    return next_key, flipped + noise
