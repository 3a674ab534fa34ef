# points: 3
# why: ENTRY 밖의 융합까지 셈
import re

import jax


def count_fusions(function, *arguments):
    hlo = jax.jit(function).lower(*arguments).compile().as_text()
    return len(re.findall(r"= .*? fusion\(", hlo))
