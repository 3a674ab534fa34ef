# points: 2
# why: Adam 뒤에서 자름
import jax
import optax


def make_optimizer(learning_rate, weight_decay, limit):
    def decays(params):
        return jax.tree_util.tree_map_with_path(
            lambda path, p: p.ndim > 1 and "embed" not in jax.tree_util.keystr(path), params
        )

    return optax.chain(
        optax.adamw(learning_rate, weight_decay=weight_decay, mask=decays),
        optax.clip_by_global_norm(limit),
    )
