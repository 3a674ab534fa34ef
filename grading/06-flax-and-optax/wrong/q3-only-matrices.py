# points: 0
# why: 축이 셋인 잎을 빠뜨림
import jax
import optax


def make_optimizer(learning_rate, weight_decay, limit):
    def decays(params):
        return jax.tree_util.tree_map_with_path(
            lambda path, p: p.ndim == 2 and "embed" not in jax.tree_util.keystr(path), params
        )

    return optax.chain(
        optax.clip_by_global_norm(limit),
        optax.adamw(learning_rate, weight_decay=weight_decay, mask=decays),
    )
