# points: 3
# why: 이어지는 조각도 0번 위치부터 셈
import jax
import jax.numpy as jnp


def gumbel_softmax(key, logits, temperature, start):
    keys = jax.vmap(jax.random.fold_in, in_axes=(None, 0))(key, jnp.arange(len(logits)))
    noise = jax.vmap(lambda key: jax.random.gumbel(key, logits.shape[1:]))(keys)
    return jax.nn.softmax((logits + noise) / temperature, axis=-1)
