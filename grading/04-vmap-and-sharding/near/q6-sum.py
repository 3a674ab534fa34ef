# points: 6
# why: 평균 대신 합
import functools

import jax
import jax.numpy as jnp
import numpy as np
from jax import NamedSharding, P
from jax.sharding import AxisType


def sharded_cross_entropy(mesh, logits, labels):
    def shard_loss(part, labels):
        width = part.shape[1]
        largest = jax.lax.stop_gradient(part.max(axis=1))
        shifted = part - jax.lax.pmax(largest, "model")[:, None]
        total = jax.lax.psum(jnp.exp(shifted).sum(axis=1), "model")
        column = labels - width * jax.lax.axis_index("model")
        mine = jax.nn.one_hot(column, width)
        picked = jax.lax.psum((shifted * mine).sum(axis=1), "model")
        return jnp.sum(jnp.log(total) - picked)

    return jax.shard_map(
        shard_loss, mesh=mesh, in_specs=(P(None, "model"), P()), out_specs=P()
    )(logits, labels)
