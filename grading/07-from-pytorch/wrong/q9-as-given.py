# points: 0
# why: 함수를 돌려줌
import jax
import jax.numpy as jnp
import numpy as np
from jax import export


def export_classifier(params):
    def predict(images):
        x = images.reshape(images.shape[0], -1) / 255
        hidden = jax.nn.relu(x @ params["w1"] + params["b1"])
        return jax.nn.softmax(hidden @ params["w2"] + params["b2"])

    return predict
