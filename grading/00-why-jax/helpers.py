# 채점자의 프로세스에서 도는 코드: 같은 jax로 같은 함수를 컴파일해 답을 구한다
import re

import jax
import jax.numpy as jnp


def fusions(expression, x):
    """expression이 말하는 함수를 x에 맞추어 컴파일한 ENTRY 계산의 fusion 개수."""
    function = eval(expression, {"jax": jax, "jnp": jnp})
    hlo = jax.jit(function).lower(x).compile().as_text()
    entry = hlo[hlo.index("\nENTRY") :]
    entry = entry[: entry.index("\n}")]
    return sum(bool(re.search(r"= .*? fusion\(", line)) for line in entry.splitlines())
