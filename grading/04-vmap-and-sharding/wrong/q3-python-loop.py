# points: 4
# why: 파이썬 반복문으로 돎
import jax
import jax.numpy as jnp


def pairwise(distance, left, right):
    def items(tree):
        count = len(jax.tree.leaves(tree)[0])
        return [jax.tree.map(lambda leaf: leaf[i], tree) for i in range(count)]

    return jnp.stack([jnp.stack([distance(a, b) for b in items(right)]) for a in items(left)])
