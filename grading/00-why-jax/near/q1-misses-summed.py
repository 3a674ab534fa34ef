# points: 1
# why: 안의 리스트에 덧붙이는 함수를 순수하지 않다고 봄
import re
import time

import jax
import jax.numpy as jnp
import numpy as np

jax.config.update("jax_num_cpu_devices", 8)


def pure_functions():
    return ["shifted"]
