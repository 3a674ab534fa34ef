# points: 8
# why: 낮은 온도에서 exp가 넘침
import jax
import jax.numpy as jnp


def gumbel_softmax(key, logits, temperature, start):
    keys = jax.vmap(jax.random.fold_in, in_axes=(None, 0))(
        key, start + jnp.arange(len(logits))
    )
    noise = jax.vmap(lambda key: jax.random.gumbel(key, logits.shape[1:]))(keys)
    score = jnp.exp((logits + noise) / temperature)
    return score / score.sum(axis=-1, keepdims=True)
