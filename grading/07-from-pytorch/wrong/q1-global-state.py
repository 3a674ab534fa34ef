# points: 1
# why: 개수와 평균을 전역 변수에 두어 두 번째 호출부터 틀림
import jax
import jax.numpy as jnp


count, mean = 0, 0.0


def running_mean(state, x):
    global count, mean
    mean = (count * mean + jnp.sum(x)) / (count + x.shape[0])
    count = count + x.shape[0]
    return (count, mean), mean
