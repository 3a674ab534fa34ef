# points: 5
# why: 파이썬 반복문과 if로 이미지를 돌아 jit에서 멈춤
import jax
import jax.numpy as jnp


def augment(key, images):
    key, flip_key, noise_key = jax.random.split(key, 3)
    flips = jax.random.bernoulli(flip_key, 0.5, (images.shape[0],))
    turned = [image[:, ::-1] if flip else image for image, flip in zip(images, flips)]
    return key, jnp.stack(turned) + 0.1 * jax.random.normal(noise_key, images.shape)
