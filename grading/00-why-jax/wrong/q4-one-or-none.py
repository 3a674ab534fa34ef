# points: 3
# why: 있는지 없는지만 봄
import jax


def count_fusions(function, *arguments):
    hlo = jax.jit(function).lower(*arguments).compile().as_text()
    entry = hlo[hlo.index("\nENTRY") :]
    return int(" fusion(" in entry)
