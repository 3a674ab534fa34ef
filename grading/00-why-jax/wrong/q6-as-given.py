# points: 1
# why: 그대로 돌려줌
import re
import time

import jax
import jax.numpy as jnp
import numpy as np

jax.config.update("jax_num_cpu_devices", 8)


def shard_batch(batch, devices):
    return batch
