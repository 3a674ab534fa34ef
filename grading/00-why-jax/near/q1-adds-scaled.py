# points: 1
# why: 바깥 값을 읽기만 하면 순수하다고 봄
import re
import time

import jax
import jax.numpy as jnp
import numpy as np

jax.config.update("jax_num_cpu_devices", 8)


def pure_functions():
    return ["shifted", "scaled", "summed"]
