# points: 4
# why: 행의 순서가 바뀜
import re
import time

import jax
import jax.numpy as jnp
import numpy as np

jax.config.update("jax_num_cpu_devices", 8)


def shard_batch(batch, devices):
    auto = (jax.sharding.AxisType.Auto,)
    mesh = jax.make_mesh((len(devices),), ("data",), axis_types=auto, devices=devices)
    return jax.device_put(jax.tree.map(lambda a: a[::-1], batch), jax.NamedSharding(mesh, jax.P("data")))
