# points: 2
# why: 한도보다 작은 기울기도 한도로 키움
import jax
import jax.numpy as jnp
import numpy as np
import optax


def make_optimizer(learning_rate, weight_decay, limit):
    def decays(params):
        return jax.tree_util.tree_map_with_path(
            lambda path, p: p.ndim > 1 and "embed" not in jax.tree_util.keystr(path), params
        )

    return optax.chain(
        optax.stateless(
            lambda g, _: jax.tree.map(
                lambda x: x * limit / jnp.maximum(optax.tree.norm(g), 1e-30), g
            )
        ),
        optax.adamw(learning_rate, weight_decay=weight_decay, mask=decays),
    )
