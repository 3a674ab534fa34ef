# 한글 이름, 경고, 출력이 있어도 맞는 답은 맞는 답
import warnings

import jax
import jax.numpy as jnp

잡음_크기 = 0.1


def running_mean(상태, x):
    warnings.warn("float64가 float32로 바뀝니다 🐢")
    개수, 평균 = 상태
    합 = 평균 * 개수 + jnp.sum(x)
    새_개수 = 개수 + x.shape[0]
    return (새_개수, 합 / 새_개수), 합 / 새_개수


def augment(key, images):
    print("증강", images.shape)
    다음 = jax.random.fold_in(key, 0)
    뒤집기 = jax.random.fold_in(key, 1)
    잡음 = jax.random.fold_in(key, 2)
    고름 = jax.random.uniform(뒤집기, (images.shape[0], 1, 1)) < 0.5
    images = jax.lax.select(
        jnp.broadcast_to(고름, images.shape), jnp.flip(images, axis=2), images
    )
    return 다음, images + 잡음_크기 * jax.random.normal(잡음, images.shape)


def clip_gradient(gradient, max_norm, step, warmup_steps):
    제곱합 = sum(jnp.sum(jnp.square(잎)) for 잎 in jax.tree.leaves(gradient))
    넘침 = (제곱합 > max_norm**2) & (step >= warmup_steps)
    비율 = jnp.where(넘침, max_norm * jax.lax.rsqrt(jnp.where(넘침, 제곱합, 1.0)), 1.0)
    return jax.tree.map(lambda 잎: 잎 * 비율, gradient)
