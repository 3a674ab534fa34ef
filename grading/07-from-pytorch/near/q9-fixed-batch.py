# points: 4
# why: 배치의 크기를 정해 둠
import jax
import jax.numpy as jnp
import numpy as np
from jax import export


def export_classifier(params):
    def predict(images):
        x = images.reshape(images.shape[0], 16) / 255
        hidden = jax.nn.relu(x @ params["w1"] + params["b1"])
        return jax.nn.softmax(hidden @ params["w2"] + params["b2"])

    shape = jax.ShapeDtypeStruct((8, 4, 4), jnp.float32)
    exported = export.export(jax.jit(predict), platforms=["cpu", "cuda", "tpu"])
    return exported(shape).serialize()
