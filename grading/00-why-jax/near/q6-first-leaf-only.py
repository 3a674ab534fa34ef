# points: 3
# why: 첫 잎만 나눔
import re
import time

import jax
import jax.numpy as jnp
import numpy as np

jax.config.update("jax_num_cpu_devices", 8)


def shard_batch(batch, devices):
    auto = (jax.sharding.AxisType.Auto,)
    mesh = jax.make_mesh((len(devices),), ("data",), axis_types=auto, devices=devices)
    leaves, tree = jax.tree.flatten(batch)
    leaves[0] = jax.device_put(leaves[0], jax.NamedSharding(mesh, jax.P("data")))
    return jax.tree.unflatten(tree, leaves)
