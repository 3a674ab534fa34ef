# points: 0
# why: 이름표와 calls에 든 fusion까지 셈
import jax


def count_fusions(function, *arguments):
    return jax.jit(function).lower(*arguments).compile().as_text().count("fusion")
