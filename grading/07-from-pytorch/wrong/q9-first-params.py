# points: 4
# why: 처음 받은 params로 만든 프로그램을 다시 돌려줌
import jax
import jax.numpy as jnp
from jax import export


kept = []


def export_classifier(params):
    def predict(images):
        x = images.reshape(images.shape[0], 16) / 255
        hidden = jax.nn.relu(x @ params["w1"] + params["b1"])
        return jax.nn.softmax(hidden @ params["w2"] + params["b2"])

    shape = jax.ShapeDtypeStruct(export.symbolic_shape("batch, 4, 4"), jnp.float32)
    exported = export.export(jax.jit(predict), platforms=["cpu", "cuda", "tpu"])
    kept.append(exported(shape).serialize())
    return kept[0]
