# points: 5
# why: 파이썬 for와 if
import jax
import jax.numpy as jnp
import numpy as np
from jax import export


def augment(key, images):
    next_key, flip_key, noise_key = jax.random.split(key, 3)
    rows = [images[i, :, ::-1] if u < 0.5 else images[i] for i, u in enumerate(jax.random.uniform(flip_key, (len(images),)))]
    return next_key, jnp.stack(rows) + 0.1 * jax.random.normal(noise_key, images.shape)
