# points: 1
# why: 적힌 코드를 jnp로만 바꿈
import functools

import jax
import jax.numpy as jnp
import numpy as np
from jax import NamedSharding, P
from jax.sharding import AxisType


def sharded_cross_entropy(mesh, logits, labels):
    return -jnp.mean(jax.nn.log_softmax(logits)[jnp.arange(len(labels)), labels])
