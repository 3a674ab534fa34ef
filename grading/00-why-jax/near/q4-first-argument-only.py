# points: 3
# why: 첫 인자만 넘김
import re
import time

import jax
import jax.numpy as jnp
import numpy as np

jax.config.update("jax_num_cpu_devices", 8)


def count_fusions(function, *arguments):
    hlo = jax.jit(function).lower(arguments[0]).compile().as_text()
    entry = hlo[hlo.index("\nENTRY") :]
    entry = entry[: entry.index("\n}")]
    return len(re.findall(r"= .*? fusion\(", entry))
