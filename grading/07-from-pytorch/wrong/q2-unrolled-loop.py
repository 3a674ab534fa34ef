# points: 5
# why: 파이썬 반복문이 배치를 돌아 프로그램이 배치만큼 커짐
import jax
import jax.numpy as jnp


def augment(key, images):
    key, flip_key, noise_key = jax.random.split(key, 3)
    flips = jax.random.bernoulli(flip_key, 0.5, (images.shape[0],))
    turned = [jnp.where(flips[i], image[:, ::-1], image) for i, image in enumerate(images)]
    return key, jnp.stack(turned) + 0.1 * jax.random.normal(noise_key, images.shape)
