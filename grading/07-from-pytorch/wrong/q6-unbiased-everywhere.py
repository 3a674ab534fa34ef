# points: 4
# why: 정규화에도 불편 분산을 씀
import jax
import jax.numpy as jnp


def residual_block(params, stats, x, train):
    y = jax.lax.conv_general_dilated(
        x, params["kernel"], (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC")
    )
    mean, var = stats["mean"], stats["var"]
    if train:
        mean, var = y.mean(axis=(0, 1, 2)), y.var(axis=(0, 1, 2), ddof=1)
        count = y.size // y.shape[-1]
        stats = {
            "mean": 0.9 * stats["mean"] + 0.1 * mean,
            "var": 0.9 * stats["var"] + 0.1 * var * count / (count - 1),
        }
    normal = (y - mean) / jnp.sqrt(var + 1e-5)
    return jax.nn.relu(x + normal * params["scale"] + params["bias"]), stats
