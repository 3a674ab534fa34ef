import numpy as np
from jax import export


def read(data):
    return export.deserialize(bytearray(np.asarray(data)))


def served(data, x):
    return read(data).call(x)


def shape_of(data):
    return [str(size) for size in read(data).in_avals[0].shape]
