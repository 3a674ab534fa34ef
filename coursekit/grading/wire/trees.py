"""Values as JSON and blobs: what may travel between the grader and a child, and nothing else.

A node is ``{"k": kind, …}``.  Kinds: ``none bool int float str array key tuple list dict``,
plus ``opaque`` (an object of any other type, by type name), ``big`` (over the limits), ``slot``
(the place of an output of an exported program) and ``spec`` (an array or key without its values).
Arrays carry dtype name, shape and the number of the blob that holds their bytes in C order.
That is simpler to check than an .npy header, which would have to be parsed as Python text.

Both sides use this module; only the child turns arrays into jax arrays (`make` in ``decode``).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

DTYPES = (
    "bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64",
    "float16", "float32", "float64", "complex64", "complex128", "bfloat16",
)  # fmt: skip
MAX_DEPTH, MAX_NODES = 24, 2000
MAX_ARRAY = 32 << 20  # bytes of all arrays of one tree, and places of one array without bytes


class BadTree(ValueError):
    """A node that breaks the rules above."""


@dataclass(frozen=True)
class Key:
    """A jax random key as data: ``data`` is uint32 of shape ``(*batch, 2)`` for threefry."""

    data: np.ndarray
    implementation: str = "threefry2x32"


@dataclass(frozen=True)
class Slot:
    """Output number ``index`` of an exported program, to be put in this place."""

    index: int
    implementation: str = ""  # of the random key it is, if it is one


@dataclass(frozen=True)
class Spec:
    """What a program needs to know of an input: all but its values."""

    dtype: str
    shape: tuple[int, ...]
    implementation: str = ""  # of the random key it is, if it is one


@dataclass(frozen=True)
class Opaque:
    """Stands for a value that can't travel; ``name`` is its type's name, cut to 80 characters."""

    name: str


def spec(leaf: Any) -> Any:
    """A `Spec` in place of an array or a `Key`: the ``leaf`` of `encode` that sends no values."""
    if isinstance(leaf, Key):
        return Spec(leaf.data.dtype.name, leaf.data.shape, leaf.implementation)
    if isinstance(leaf, (np.ndarray, np.generic)):
        return Spec(leaf.dtype.name, leaf.shape)
    return leaf


def encode(value: Any, blobs: list[bytes], leaf: Callable[[Any], Any] = lambda v: v) -> dict:
    """Node for ``value``; array bytes are appended to ``blobs``.

    ``leaf`` may turn a foreign leaf (a jax array, a random key) into a numpy array or `Key`.
    """
    return _encode(value, blobs, leaf, 0, [MAX_NODES])


def _encode(value, blobs, leaf, depth, left) -> dict:
    left[0] -= 1
    if depth > MAX_DEPTH or left[0] < 0:
        return {"k": "big"}
    if value is None:
        return {"k": "none"}
    kind = type(value)
    if isinstance(value, str):  # numpy's strings too, as a check with == would take them
        return {"k": "str", "v": printable(str.__str__(value))[:10_000]}
    if kind is bool:
        return {"k": "bool", "v": value}
    if kind is int:
        return {"k": "int", "v": hex(value)} if value.bit_length() < 10_000 else {"k": "big"}
    if isinstance(value, float):  # np.float64 is a float as well
        return {"k": "float", "v": float.hex(value)}
    if isinstance(value, (tuple, list)):
        name = "tuple" if isinstance(value, tuple) else "list"
        items = []
        for item in value:  # a subclass may go on for ever
            items.append(_encode(item, blobs, leaf, depth + 1, left))
            if left[0] < 0:
                break
        return {"k": name, "v": items}
    if isinstance(value, dict) and all(isinstance(name, str) for name in value):
        pairs = [
            [str.__str__(n), _encode(v, blobs, leaf, depth + 1, left)] for n, v in value.items()
        ]
        return {"k": "dict", "v": pairs}
    value = leaf(value)
    if isinstance(value, Key):
        return {**_array(value.data, blobs), "k": "key", "impl": value.implementation}
    if isinstance(value, (np.ndarray, np.generic)) and value.dtype.name in DTYPES:
        return _array(np.asarray(value), blobs)
    if isinstance(value, Spec):
        shape = list(value.shape)
        return {"k": "spec", "d": value.dtype, "s": shape, "impl": value.implementation}
    if isinstance(value, Slot):
        return {"k": "slot", "v": value.index, "impl": value.implementation}
    if isinstance(value, Opaque):
        return {"k": "opaque", "v": value.name[:80]}
    return {"k": "opaque", "v": kind.__name__[:80]}


def _array(array: np.ndarray, blobs: list[bytes]) -> dict:
    if array.nbytes > MAX_ARRAY or sum(map(len, blobs)) + array.nbytes > MAX_ARRAY:
        return {"k": "big"}
    blobs.append(np.ascontiguousarray(array).tobytes())
    shape = [int(size) for size in array.shape]
    return {"k": "array", "d": array.dtype.name, "s": shape, "b": len(blobs) - 1}


def decode(node: Any, blobs: list[bytes], make: Callable[[Any], Any] = lambda v: v) -> Any:
    """Value of ``node``; raises `BadTree`.  ``make`` gets each numpy array and each `Key`."""
    return _decode(node, blobs, make, 0, [MAX_NODES + 1])


def _decode(node, blobs, make, depth, left) -> Any:
    left[0] -= 1
    if depth > MAX_DEPTH + 1 or left[0] < 0 or not isinstance(node, dict):
        raise BadTree("shape of the tree")
    kind, value = node.get("k"), node.get("v")
    if kind == "none":
        return None
    if kind == "big":
        return Opaque("너무 큰 값")
    if kind == "bool" and isinstance(value, bool):
        return value
    if kind in ("str", "opaque") and isinstance(value, str):
        value = printable(value)
        return value if kind == "str" else Opaque(value[:80])
    if kind in ("int", "float") and isinstance(value, str) and len(value) < 3000:
        try:
            return int(value, 16) if kind == "int" else float.fromhex(value)
        except (ValueError, OverflowError):
            raise BadTree("number") from None
    if kind in ("tuple", "list") and isinstance(value, list):
        items = [_decode(item, blobs, make, depth + 1, left) for item in value]
        return tuple(items) if kind == "tuple" else items
    if kind == "dict" and isinstance(value, list):
        if not all(isinstance(p, list) and len(p) == 2 and type(p[0]) is str for p in value):
            raise BadTree("dict")
        return {
            printable(name): _decode(item, blobs, make, depth + 1, left) for name, item in value
        }
    if kind == "slot" and type(value) is int and isinstance(node.get("impl"), str):
        return make(Slot(value, node["impl"][:40]))
    if kind == "spec" and isinstance(node.get("impl"), str):
        return make(Spec(*_dtype_and_shape(node), node["impl"][:40]))
    if kind in ("array", "key"):
        array = _read_array(node, blobs)
        if kind == "array":
            return make(array)
        if array.dtype != np.uint32 or array.ndim < 1 or not isinstance(node.get("impl"), str):
            raise BadTree("key")
        return make(Key(array, node["impl"][:40]))
    raise BadTree(f"kind {str(kind)[:20]}")


def _dtype_and_shape(node: dict) -> tuple[str, tuple[int, ...]]:
    name, shape = node.get("d"), node.get("s")
    if name not in DTYPES or not isinstance(shape, list) or len(shape) > 16:
        raise BadTree("array")
    if any(type(size) is not int or not 0 <= size <= MAX_ARRAY for size in shape):
        raise BadTree("array shape")
    # an array of shape (1 << 40, 0) has no bytes, and whoever walks over it never comes back
    if math.prod(size or 1 for size in shape) > MAX_ARRAY:
        raise BadTree("array size")
    return name, tuple(shape)


def _read_array(node: dict, blobs: list[bytes]) -> np.ndarray:
    (name, shape), index = _dtype_and_shape(node), node.get("b")
    if type(index) is not int or not 0 <= index < len(blobs):
        raise BadTree("blob")
    # numpy has no bfloat16 of its own: the upper half of a float32
    stored = np.dtype(np.uint16 if name == "bfloat16" else name)
    # an empty array may name any sizes, and a probe may make one of those sizes
    if math.prod(size or 1 for size in shape) * stored.itemsize > MAX_ARRAY:
        raise BadTree("array size")
    if math.prod(shape) * stored.itemsize != len(blobs[index]):
        raise BadTree("array bytes")
    array = np.frombuffer(blobs[index], stored)
    if name == "bfloat16":
        array = (array.astype(np.uint32) << 16).view(np.float32).view(Bfloat16)
    if name == "bool":
        array = np.frombuffer(blobs[index], np.uint8) != 0
    return array.reshape(shape)


def printable(text: str) -> str:
    """``text`` as it can be written to a file: half surrogate pairs become question marks."""
    return text.encode("utf-8", "replace").decode("utf-8")


class Bfloat16(np.ndarray):
    """float32 values that were bfloat16 in the child, so that a dtype check can tell."""


def dtype_name(value: Any) -> str:
    """dtype of an array, or of the Python number (``float`` …), as a reader would write it."""
    if isinstance(value, Bfloat16):
        return "bfloat16"
    return value.dtype.name if isinstance(value, np.ndarray) else type(value).__name__
