# 다른 방식: 데코레이터, fold_in, 이미지마다 vmap, cond
from functools import partial

import jax
import jax.numpy as jnp


@jax.jit
def running_mean(state, x):
    count, mean = state
    weight = x.size / (count + x.size)
    mean = (1 - weight) * mean + weight * x.mean()
    print("트레이싱")
    return (count + x.size, mean), mean


def _one(key, image):
    flip_key, noise_key = jax.random.split(key)
    image = jax.lax.cond(
        jax.random.uniform(flip_key) < 0.5, lambda i: jnp.flip(i, axis=1), lambda i: i, image
    )
    return image + jax.random.normal(noise_key, image.shape) * 0.1


@jax.jit
def augment(key, images):
    key, subkey = jax.random.split(key)
    return key, jax.vmap(_one)(jax.random.split(subkey, len(images)), images)


@partial(jax.jit, donate_argnums=())
def clip_gradient(gradient, max_norm, step, warmup_steps):
    def clip(tree):
        squares = jax.tree.map(lambda v: jnp.vdot(v, v), tree)
        norm = jnp.sqrt(jax.tree.reduce(jnp.add, squares))
        factor = jnp.minimum(1.0, max_norm / jnp.maximum(norm, 1e-12))
        return jax.tree.map(lambda v: (factor * v).astype(v.dtype), tree)

    return jax.lax.cond(step < warmup_steps, lambda tree: tree, clip, gradient)
