# points: 5
# why: 5번을 float32로 봄
import dataclasses

import jax
import jax.numpy as jnp
import numpy as np


def predict_dtypes():
    return [
        ("int64", "int32"),
        ("float32", "float32"),
        ("uint8", "uint8"),
        ("int64", "int32"),
        ("float32", "float32"),
        ("bfloat16", "float32"),
        ("bfloat16", "float32"),
        ("int16", "int16"),
        ("int64", "int32"),
        ("float64", "float32"),
    ]
