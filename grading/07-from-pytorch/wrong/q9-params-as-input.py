# points: 0
# why: params를 프로그램의 인자로 둠
import jax
import jax.numpy as jnp
from jax import export


def export_classifier(params):
    def predict(params, images):
        x = images.reshape(images.shape[0], 16) / 255
        hidden = jax.nn.relu(x @ params["w1"] + params["b1"])
        return jax.nn.softmax(hidden @ params["w2"] + params["b2"])

    shape = jax.ShapeDtypeStruct(export.symbolic_shape("batch, 4, 4"), jnp.float32)
    exported = export.export(jax.jit(predict), platforms=["cpu", "cuda", "tpu"])
    specs = jax.tree.map(lambda p: jax.ShapeDtypeStruct(p.shape, p.dtype), params)
    return exported(specs, shape).serialize()
