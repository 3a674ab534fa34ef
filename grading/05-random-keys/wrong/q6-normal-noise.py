# points: 8
# why: 검벨이 아니라 정규 잡음을 더함
import jax
import jax.numpy as jnp


def gumbel_softmax(key, logits, temperature, start):
    keys = jax.vmap(jax.random.fold_in, in_axes=(None, 0))(
        key, start + jnp.arange(len(logits))
    )
    noise = jax.vmap(lambda key: jax.random.normal(key, logits.shape[1:]))(keys)
    return jax.nn.softmax((logits + noise) / temperature, axis=-1)
