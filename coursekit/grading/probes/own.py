"""Probes of form against a student's own values: one slip in a value does not cost the form too.

Generators for ``yield from`` in a probe.  A probe of form (one program, one trace, vmap) asks
whether the function does under jax what it does eagerly; whether that is right, other probes say.
Since nothing is right in an answer that ignores its inputs, `differ` guards what they earn::

    @question.probe(2, "jit에서 한 번만 트레이싱")
    def one_program(draw):
        calls = [(draw.normal(5), real(0.5)), (draw.normal(5), real(0.9))]
        differ((yield from as_eager(*calls)), "입력이 바뀌어도 값이 그대로입니다.")
        yield from one_trace(*calls)
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import Any

import numpy as np

from coursekit.grading.probes.questions import call, program, traces
from coursekit.grading.probes.verdict import close, require, unpack
from coursekit.grading.wire.trees import dtype_name


def as_eager(
    *calls: tuple, wrap: str = "", rtol: float = 1e-4, atol: float = 1e-5
) -> Generator[Any, Any, list]:
    """One program gives what the function gives eagerly; returns the eager values."""
    ran = yield program(*calls, wrap=wrap)
    own = []
    for arguments, value in zip(calls, ran.values, strict=True):
        own.append((yield call(*arguments, wrap=wrap)))
        same(value, own[-1], "jit에서 나온 값", rtol=rtol, atol=atol)
    return own


def one_trace(*calls: tuple, wrap: str = "") -> Generator[Any, Any, None]:
    """Fail unless ``calls``, made one after the other, are traced once."""
    count = yield traces(*calls, wrap=wrap)
    require(count == 1, f"{len(calls)}번 부르는 동안 {count}번 트레이싱했습니다.")


def same(got: Any, own: Any, what: str, *, rtol: float = 1e-4, atol: float = 1e-5) -> None:
    """Containers, shapes, dtypes and values as in ``own``, also where that is not finite.

    A Python number has no dtype.
    """
    if isinstance(own, dict):
        require(isinstance(got, dict) and set(got) == set(own), f"{what}: 이름이 달라집니다.")
        for name, value in own.items():
            same(got[name], value, f"{what}[{name!r}]", rtol=rtol, atol=atol)
    elif isinstance(own, (tuple, list)):
        for i, (part, value) in enumerate(zip(unpack(got, len(own), what), own, strict=True)):
            same(part, value, f"{what}[{i}]", rtol=rtol, atol=atol)
    else:
        # an element taken out of an array of values is no array, though a value would be one
        got, own = (np.asarray(v) if isinstance(v, np.generic) else v for v in (got, own))
        dtype = dtype_name(own) if isinstance(own, np.ndarray) else None
        got, own = _where_finite(got, own)
        close(got, own, what, rtol=rtol, atol=atol, dtype=dtype)


def _where_finite(got: Any, own: Any) -> tuple[Any, Any]:
    """Both with 0 in place of what neither has as a finite number."""
    if not all(isinstance(v, np.ndarray) and v.dtype.kind == "f" for v in (got, own)):
        return got, own
    if got.shape != own.shape:
        return got, own
    lost = ~np.isfinite(got) & ~np.isfinite(own)
    return tuple(np.where(lost, v.dtype.type(0), v) for v in (got, own))


def differ(values: Sequence[Any], reason: str) -> None:
    """Neighbours among ``values`` are not equal; NaN is equal to NaN, so it earns no form."""
    for one, other in zip(values, values[1:], strict=False):
        require(len(leaves(one)) > 0, "빈 값을 돌려주었습니다.")
        pairs = zip(leaves(one), leaves(other), strict=False)
        require(any(not np.array_equal(a, b, equal_nan=True) for a, b in pairs), reason)


def leaves(value: Any) -> list[np.ndarray]:
    """Arrays and numbers in plain containers, in order."""
    if isinstance(value, dict):
        value = [value[name] for name in sorted(value, key=str)]
    if isinstance(value, (tuple, list)):
        return [leaf for part in value for leaf in leaves(part)]
    return [np.asarray(value)] if isinstance(value, (np.ndarray, np.generic, int, float)) else []


def finite(value: Any, what: str) -> None:
    """Every number in ``value`` is finite, and there is one."""
    found = leaves(value)
    require(found, f"{what}: 수가 없습니다.")
    good = all(leaf.dtype.kind in "biuf" and np.isfinite(leaf).all() for leaf in found)
    require(good, f"{what}: NaN이나 무한대가 있습니다.")
