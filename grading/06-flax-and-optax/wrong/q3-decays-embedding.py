# points: 0
# why: 임베딩도 감쇠
import jax
import optax


def make_optimizer(learning_rate, weight_decay, limit):
    def decays(params):
        return jax.tree_util.tree_map_with_path(
            lambda path, p: p.ndim > 1, params
        )

    return optax.chain(
        optax.clip_by_global_norm(limit),
        optax.adamw(learning_rate, weight_decay=weight_decay, mask=decays),
    )
