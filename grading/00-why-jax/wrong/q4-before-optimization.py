# points: 0
# why: 최적화하기 전의 프로그램을 봄
import jax


def count_fusions(function, *arguments):
    return jax.jit(function).lower(*arguments).as_text().count(" fusion(")
