# points: 6
# why: 파이썬 반복문으로 통계량을 뽑는 수만큼 부름
import jax
import jax.numpy as jnp


def bootstrap(key, statistic, x, draws):
    def one(key):
        rows = jax.random.randint(key, (len(x),), 0, len(x))
        return statistic(x[rows])

    return jnp.stack([one(key) for key in jax.random.split(key, draws)])
