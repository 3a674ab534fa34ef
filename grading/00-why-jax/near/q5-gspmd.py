# points: 2
# why: 4번을 참이라고 봄
import re
import time

import jax
import jax.numpy as jnp
import numpy as np

jax.config.update("jax_num_cpu_devices", 8)


def judgements():
    return {1: "참", 2: "거짓", 3: "거짓", 4: "참", 5: "지난 말", 6: "거짓", 7: "지난 말", 8: "참", 9: "거짓", 10: "참"}
