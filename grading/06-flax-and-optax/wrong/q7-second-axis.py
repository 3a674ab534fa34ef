# points: 0
# why: 축 1을 정규화해 3차원 입력에서 틀림
import jax
import jax.numpy as jnp
import numpy as np
from flax import nnx


def to_plain(model):
    params, steps = [], []
    for layer in model.layers:
        values = {}
        for name in ("kernel", "scale", "bias"):
            box = getattr(layer, name, None)
            if isinstance(box, nnx.Variable) and box[...] is not None:
                values[name] = jnp.array(box[...])
        params.append(values)
        steps.append(getattr(layer, "epsilon", layer))

    def apply(params, x):
        for values, step in zip(params, steps):
            if "kernel" in values:
                x = x @ values["kernel"] + values.get("bias", 0.0)
            elif "scale" in values:
                x = x - x.mean(1, keepdims=True)
                x = x / jnp.sqrt(jnp.square(x).mean(1, keepdims=True) + step)
                x = x * values["scale"] + values["bias"]
            else:
                x = step(x)
        return x

    return params, apply
