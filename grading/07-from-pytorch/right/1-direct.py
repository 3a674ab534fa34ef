# 풀이 노트북과 같은 방식
import jax
import jax.numpy as jnp


def running_mean(state, x):
    count, mean = state
    total = count + x.shape[0]
    new_mean = mean + (jnp.sum(x) - x.shape[0] * mean) / total
    return (total, new_mean), new_mean


def augment(key, images):
    next_key, flip_key, noise_key = jax.random.split(key, 3)
    flip = jax.random.bernoulli(flip_key, 0.5, (images.shape[0],))
    flipped = jnp.where(flip[:, None, None], images[:, :, ::-1], images)
    noise = 0.1 * jax.random.normal(noise_key, images.shape)
    return next_key, flipped + noise


def clip_gradient(gradient, max_norm, step, warmup_steps):
    leaves = jax.tree.leaves(gradient)
    norm = jnp.sqrt(sum(jnp.sum(leaf**2) for leaf in leaves))
    scale = jnp.where(norm > max_norm, max_norm / jnp.where(norm > 0, norm, 1.0), 1.0)
    scale = jnp.where(step < warmup_steps, 1.0, scale)
    return jax.tree.map(lambda leaf: leaf * scale, gradient)
