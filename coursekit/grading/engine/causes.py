"""What stopped in a submission, and whether one cause took most of the points.

Six answers that all end in the same NameError are six right answers below one import that failed,
more often than six wrong ones: a person should look.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

_MOST = 5
_UNREAD = ("SyntaxError", "IndentationError", "TabError")


def stopped(errors: Mapping[int, Exception], deadly: Mapping[int, Exception]) -> list[str]:
    """A line for each cell that did not run to its end, in the order of the cells."""
    lines = []
    for index in sorted({*errors, *deadly}):
        error = errors.get(index)
        line = getattr(error, "line", None)
        where = f"셀 {index + 1}" + (f"의 {line}번째 줄" if line else "")
        what = deadly.get(index, error)
        unread = index not in deadly and getattr(error, "kind", "") in _UNREAD
        rest = (
            "이 셀은 실행되지 않았습니다." if unread else "그 아래의 함수는 정의해서 채점했습니다."
        )
        lines.append(f"{where}에서 멈췄습니다. {what} {rest}")
    more = len(lines) - _MOST
    return lines[:_MOST] + ([f"멈춘 셀이 {more}개 더 있습니다."] if more > 0 else [])


def shared(
    raised: Mapping[str, Sequence[tuple[str, str]]],
    settled: Mapping[str, tuple[str, str]],
    *,
    stopped: bool,
) -> list[str]:
    """Lines for a person.  ``raised``: question → type and text of the error in each probe, empty
    where there was none; ``settled``: question → status and reason, where no probe was tried;
    ``stopped``: whether a cell did not run to its end.
    """
    tried = len(raised) + sum(status != "blank" for status, _ in settled.values())
    of: Counter[str] = Counter()
    for errors in raised.values():
        of.update({cause for _, cause in errors if cause})
    of.update(reason for status, reason in settled.values() if status != "blank")
    lines = []
    for cause, count in of.most_common(1):
        if count >= 2 and 2 * count >= tried:
            lines.append(f"문제 {count}개가 같은 까닭으로 점수를 잃었습니다: {cause}")
    missing = sorted({cause for errors in raised.values() for kind, cause in errors
                      if kind in ("NameError", "MissingPackage", "ModuleNotFoundError")})  # fmt: skip
    if not lines and missing and stopped:
        lines.append(f"셀이 멈춘 뒤 이름이나 패키지가 없다는 오류가 났습니다: {missing[0]}")
    return lines
