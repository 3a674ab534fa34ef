# points: 2
# why: 위치를 섞지 않고 한 번에 뽑음
import jax


def gumbel_softmax(key, logits, temperature, start):
    noise = jax.random.gumbel(key, logits.shape)
    return jax.nn.softmax((logits + noise) / temperature, axis=-1)
