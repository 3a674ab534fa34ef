"""What a person decided about doubtful files: a CSV that is written, filled in and read again."""

from __future__ import annotations

from pathlib import Path

from coursekit.findings import CourseError
from coursekit.folding import fold
from coursekit.grading.records import tables
from coursekit.grading.records.roster import Roster, Student

QUESTIONS = "확인할 파일.csv"
LEAVE_OUT = "제외"
_COLUMNS = ("파일", "까닭", "후보", "학번")


def read(path: Path, roster: Roster) -> dict[str, Student | str]:
    """File → the student that the instructor wrote beside it, or "제외"."""
    if not path.exists():
        return {}
    columns, rows = tables.read(path)
    if missing := [name for name in (_COLUMNS[0], _COLUMNS[3]) if name not in columns]:
        raise CourseError(f"'{missing[0]}' 열이 없습니다. 파일을 지우고 다시 실행하세요.", path)
    students = roster.by_id()
    found: dict[str, Student | str] = {}
    for number, row in enumerate(rows, 2):
        name, answer = _label(row[_COLUMNS[0]]), row[_COLUMNS[3]].removeprefix("'")
        if not answer:
            continue
        if answer != LEAVE_OUT and fold(answer) not in students:
            raise CourseError(
                f"{answer}은 명단에 없는 학번입니다. 명단의 학번이나 '{LEAVE_OUT}'를 적습니다.",
                path, number,
            )  # fmt: skip
        found[name] = students.get(fold(answer), LEAVE_OUT)
    return found


def write(
    path: Path,
    doubtful: list[dict[str, str]],
    decided: dict[str, Student | str],
    offered: list[dict[str, str]],
) -> None:
    """The open questions, what was decided, and what could be chosen but need not; no file if
    there is nothing.

    An answer that settles nothing yet stays beside its question: it is the instructor's.
    """
    rows = [[r["file"], r["why"], r["candidates"], _said(decided.get(r["file"]))] for r in doubtful]
    still_open = {row[0] for row in rows}
    for name, answer in decided.items():
        if name not in still_open:
            rows.append([name, "정함", "", _said(answer)])
    rows += [
        [r["file"], r["why"], r["candidates"], ""] for r in offered if r["file"] not in decided
    ]
    if rows:
        tables.write(path, _COLUMNS, [[_quoted(name), *rest] for name, *rest in rows])


def _quoted(label: str) -> str:
    """Between apostrophes where a table would lose a sign at an end: ``=a.ipynb``, `` a.ipynb``."""
    keeps = label == label.strip() and not label.startswith(("=", "+", "-", "@", "'"))
    return label if keeps else f"'{label}'"


def _label(cell: str) -> str:
    """The label that `_quoted` wrote."""
    if len(cell) > 1 and cell.startswith("'") and cell.endswith("'"):
        return cell[1:-1]
    return cell.removeprefix("'")


def _said(answer: Student | str | None) -> str:
    return answer.id if isinstance(answer, Student) else answer or ""
