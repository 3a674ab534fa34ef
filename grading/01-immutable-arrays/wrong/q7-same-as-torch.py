# points: 2
# why: JAX도 PyTorch와 같다고 봄
import dataclasses

import jax
import jax.numpy as jnp
import numpy as np


def predict_dtypes():
    return [
        ("int64", "int64"),
        ("float32", "float32"),
        ("uint8", "uint8"),
        ("int64", "int64"),
        ("float16", "float16"),
        ("bfloat16", "bfloat16"),
        ("bfloat16", "bfloat16"),
        ("int16", "int16"),
        ("int64", "int64"),
        ("float64", "float64"),
    ]
