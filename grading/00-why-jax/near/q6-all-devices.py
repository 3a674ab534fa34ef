# points: 4
# why: 받은 장치 대신 모든 장치에 나눔
import re
import time

import jax
import jax.numpy as jnp
import numpy as np

jax.config.update("jax_num_cpu_devices", 8)


def shard_batch(batch, devices):
    auto = (jax.sharding.AxisType.Auto,)
    mesh = jax.make_mesh((len(jax.devices("cpu")),), ("data",), axis_types=auto, devices=jax.devices("cpu"))
    return jax.device_put(batch, jax.NamedSharding(mesh, jax.P("data")))
