# points: 3
# why: 인자를 하나만 받음
import re

import jax


def count_fusions(function, x):
    hlo = jax.jit(function).lower(x).compile().as_text()
    entry = hlo[hlo.index("\nENTRY") :]
    return len(re.findall(r"= .*? fusion\(", entry))
