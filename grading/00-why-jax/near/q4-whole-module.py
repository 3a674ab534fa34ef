# points: 3
# why: ENTRY 밖까지 셈
import re
import time

import jax
import jax.numpy as jnp
import numpy as np

jax.config.update("jax_num_cpu_devices", 8)


def count_fusions(function, *arguments):
    hlo = jax.jit(function).lower(*arguments).compile().as_text()
    entry = hlo
    return len(re.findall(r"= .*? fusion\(", entry))
