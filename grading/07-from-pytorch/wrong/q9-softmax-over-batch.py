# points: 3
# why: 배치 축으로 정규화함
import jax
import jax.numpy as jnp
from jax import export


def export_classifier(params):
    def predict(images):
        x = images.reshape(images.shape[0], 16) / 255
        hidden = jax.nn.relu(x @ params["w1"] + params["b1"])
        return jax.nn.softmax(hidden @ params["w2"] + params["b2"], axis=0)

    shape = jax.ShapeDtypeStruct(export.symbolic_shape("batch, 4, 4"), jnp.float32)
    exported = export.export(jax.jit(predict), platforms=["cpu", "cuda", "tpu"])
    return exported(shape).serialize()
