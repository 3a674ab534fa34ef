"""Is an answer right?  Comparisons for probes, and the loop that drives a probe.

All of it runs in the grader.  Values from a child are numpy arrays, Python scalars, strings and
plain containers (`trees.decode`), so nothing in them can run code here.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from coursekit.grading.probes.questions import Draw, ExerciseError, Probe
from coursekit.grading.wire.trees import Key, Opaque, dtype_name


class Wrong(Exception):
    """The answer is not right; the text is Korean and may hold values (see `Probe.show`).

    ``told``: which requirement of the statement that breaks, in words that hold no input and no
    value; a student reads it even where inputs are hidden.
    """

    def __init__(self, reason: str, told: str = "") -> None:
        super().__init__(reason)
        self.told = told


class Raised(Exception):
    """The student's function raised: type, text and line as the child told them."""

    def __init__(self, kind: str, text: str = "", line: int | None = None) -> None:
        super().__init__(f"{kind}: {text.splitlines()[0] if text.strip() else ''}".rstrip(": "))
        self.kind, self.line = kind, line


@dataclass(frozen=True)
class Verdict:
    passed: bool
    reason: str = ""  # may hold hidden inputs and values
    request: Any = None  # the last one asked
    raised: str = ""  # type of the error that the student's function raised, in its own words
    cause: str = ""  # that error in full
    told: str = ""  # see `Wrong`


def judge(probe: Probe, draw: Draw, ask: Callable[[Any], Any]) -> Verdict:
    """Drive ``probe`` with ``ask`` (request → value, or raises `Raised`).

    Whatever else ``ask`` raises (a dead child) passes through; whatever the probe raises over an
    answer is that answer's failure.
    """
    asked: Any = None
    steps = probe.check(draw)
    go, value = steps.send, None
    try:
        while True:
            try:
                asked = go(value)
            except ExerciseError:
                raise
            except Exception as error:
                return _verdict(probe, error, asked)
            try:
                go, value = steps.send, ask(asked)
            except Raised as error:
                go, value = steps.throw, error
    finally:
        steps.close()


def _verdict(probe: Probe, error: Exception, asked: Any) -> Verdict:
    match error:
        case StopIteration():
            if asked is None:
                raise ExerciseError(f"{probe.name}: 아무것도 묻지 않는 검사입니다.")
            return Verdict(True)
        case Wrong():
            return Verdict(False, str(error), asked, told=error.told)
        case Raised():
            reason = f"실행하다 멈췄습니다. {error}"
            return Verdict(False, reason, asked, raised=error.kind, cause=str(error))
    # a value of a kind or size the author did not think of; that the probes themselves are sound
    # is shown by the right answers beside them
    reason = f"돌려준 값의 모양이 다릅니다. ({type(error).__name__}: {str(error)[:200]})"
    return Verdict(False, reason, asked)


def unpack(value: Any, count: int, what: str) -> tuple:
    """``value`` if it is a tuple or list of ``count`` things."""
    if not isinstance(value, (tuple, list)) or len(value) != count:
        raise Wrong(f"{what}: 값 {count}개의 튜플이 아니라 {describe(value)}입니다.")
    return tuple(value)


def close(
    got: Any,
    want: Any,
    what: str,
    *,
    rtol: float = 1e-5,
    atol: float = 1e-6,
    dtype: str | None = "float32",
) -> None:
    """Shape and dtype equal, values within ``atol + rtol * |want|``; NaN is never right.

    ``dtype=None`` accepts any kind of number, Python's own as well.
    """
    if isinstance(got, (bool, int, float)) and dtype is None:
        got = np.asarray(got)
    if not isinstance(got, np.ndarray):
        raise Wrong(f"{what}: 배열이 아니라 {describe(got)}입니다.")
    want = np.asarray(want)
    if got.shape != want.shape:
        raise Wrong(f"{what}: shape이 {want.shape}이어야 하는데 {got.shape}입니다.")
    if dtype is not None and dtype_name(got) != dtype:
        raise Wrong(f"{what}: dtype이 {dtype}이어야 하는데 {dtype_name(got)}입니다.")
    if got.dtype.kind not in "biuf":
        raise Wrong(f"{what}: 실수가 아니라 {got.dtype.name}입니다.")
    actual, wanted = np.asarray(got, np.float64), np.asarray(want, np.float64)
    with np.errstate(invalid="ignore"):
        near = np.abs(actual - wanted) <= atol + rtol * np.abs(wanted)
    if not near.all():
        where = tuple(int(i) for i in np.argwhere(~near)[0])
        place = f" {list(where)}에서" if where else ""
        raise Wrong(f"{what}:{place} {wanted[where]:.6g}이어야 하는데 {actual[where]:.6g}입니다.")


def tree_close(got: Any, want: Any, what: str, **options: Any) -> None:
    """`close` for every array in ``want``, in the same containers."""
    if isinstance(want, dict):
        if not isinstance(got, dict) or set(got) != set(want):
            raise Wrong(f"{what}: 사전의 이름이 {sorted(want)}이어야 하는데 {describe(got)}입니다.")
        for name in want:
            tree_close(got[name], want[name], f"{what}[{name!r}]", **options)
    elif isinstance(want, (tuple, list)):
        for i, (part, right) in enumerate(zip(unpack(got, len(want), what), want, strict=True)):
            tree_close(part, right, f"{what}[{i}]", **options)
    else:
        close(got, want, what, **options)


def is_key(value: Any, what: str) -> Key:
    """``value`` if it is one random key (typed, or raw data of shape (2,))."""
    if isinstance(value, np.ndarray) and value.dtype == np.uint32 and value.shape == (2,):
        value = Key(value)
    if not isinstance(value, Key) or value.data.shape != (2,):
        raise Wrong(f"{what}: 키가 아니라 {describe(value)}입니다.")
    return value


def require(condition: Any, reason: str, told: str = "") -> None:
    """``told``: see `Wrong`."""
    if not condition:
        raise Wrong(reason, told)


def describe(value: Any, depth: int = 3) -> str:
    """A value in a few words, for messages."""
    if isinstance(value, np.ndarray):
        body = (
            f" 값 {value.ravel()[0]:.6g}" if value.size == 1 and value.dtype.kind in "biuf" else ""
        )
        return f"{dtype_name(value)}{list(value.shape)} 배열{body}"
    if isinstance(value, Key):
        return "키" if value.data.ndim == 1 else f"키 {list(value.data.shape[:-1])}개"
    if isinstance(value, Opaque):
        return f"{value.name} 객체" if value.name != "너무 큰 값" else value.name
    if isinstance(value, (tuple, list, dict)) and depth == 0:
        return "…"
    if isinstance(value, (tuple, list)):
        inside = ", ".join(describe(item, depth - 1) for item in value[:4])
        return f"{type(value).__name__}({inside}{', …' if len(value) > 4 else ''})"
    if isinstance(value, dict):
        pairs = list(value.items())[:4]
        return "{" + ", ".join(f"{n[:40]!r}: {describe(v, depth - 1)}" for n, v in pairs) + "}"
    return repr(value)[:80]
