# points: 1
# why: 함수 안에서 시드를 정함
import jax
import jax.numpy as jnp
import numpy as np
from jax import export


def augment(key, images):
    key = jax.random.key(0)
    flip = jax.random.uniform(key, (len(images),)) < 0.5
    images = jnp.where(flip[:, None, None], images[:, :, ::-1], images)
    return key, images + 0.1 * jax.random.normal(key, images.shape)
