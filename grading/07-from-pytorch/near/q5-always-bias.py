# points: 3
# why: bias가 없으면 0을 둠
import jax
import jax.numpy as jnp
import numpy as np
from jax import export


def convert_weights(kind, weights, heads):
    if kind == "attention":
        width = weights["in_proj_weight"].shape[1]
        kernels = jnp.split(weights["in_proj_weight"], 3)
        biases = jnp.split(weights["in_proj_bias"], 3)
        return {
            name: {"kernel": kernel.T.reshape(width, heads, -1), "bias": bias.reshape(heads, -1)}
            for name, kernel, bias in zip(("query", "key", "value"), kernels, biases)
        }
    names = {"bias": "bias", "running_mean": "mean", "running_var": "var"}
    target = {"norm": "scale", "embedding": "embedding"}.get(kind, "kernel")
    new = {names[name]: value for name, value in weights.items() if name in names}
    order = {"linear": (1, 0), "conv": (2, 3, 1, 0)}.get(kind)
    new.setdefault("bias", jnp.zeros(len(weights["weight"])))
    new[target] = jnp.transpose(weights["weight"], order) if order else weights["weight"]
    return new
