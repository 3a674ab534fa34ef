# points: 7
# why: 행이 아니라 낱낱의 값을 뽑음
import jax


def bootstrap(key, statistic, x, draws):
    def one(key):
        return statistic(jax.random.choice(key, x.ravel(), x.shape))

    return jax.vmap(one)(jax.random.split(key, draws))
