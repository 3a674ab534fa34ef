# points: 3
# why: 평가에서도 통계를 바꿈
import jax
import jax.numpy as jnp
import numpy as np
from jax import export


def residual_block(params, stats, x, train):
    y = jax.lax.conv_general_dilated(
        x, params["kernel"], (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC")
    )
    mean, var = stats["mean"], stats["var"]
    if True:
        mean, var = y.mean(axis=(0, 1, 2)), y.var(axis=(0, 1, 2))
        count = y.size // y.shape[-1]
        stats = {
            "mean": 0.9 * stats["mean"] + 0.1 * mean,
            "var": 0.9 * stats["var"] + 0.1 * var * count / (count - 1),
        }
    normal = (y - mean) / jnp.sqrt(var + 1e-5)
    return jax.nn.relu(x + normal * params["scale"] + params["bias"]), stats
