# points: 2
# why: 5번과 9번이 빗나감
import re
import time

import jax
import jax.numpy as jnp
import numpy as np

jax.config.update("jax_num_cpu_devices", 8)


def judgements():
    return {1: "참", 2: "거짓", 3: "거짓", 4: "지난 말", 5: "거짓", 6: "거짓", 7: "지난 말", 8: "참", 9: "참", 10: "참"}
