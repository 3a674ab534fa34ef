# points: 6
# why: 반복를 허용하지 않고 섞기만 함
import jax


def bootstrap(key, statistic, x, draws):
    def one(key):
        rows = jax.random.permutation(key, len(x))
        return statistic(x[rows])

    return jax.vmap(one)(jax.random.split(key, draws))
