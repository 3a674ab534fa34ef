"""Pack an assignment: the blank notebook, what to tell the students, and what collecting needs.

Never solutions or probes: the notebook is checked cell by cell before it is packed.
"""

from __future__ import annotations

import ast
import io
import json
import re
import zipfile
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path

from coursekit.files import write_whole
from coursekit.findings import CourseError
from coursekit.grading.course import published
from coursekit.grading.handed_in import given, magics, submission, syntax
from coursekit.grading.handed_in.cell import Cell
from coursekit.grading.handed_in.notebook import Unreadable, read_bytes, read_cells
from coursekit.grading.probes.questions import Exercise
from coursekit.grading.records.roster import Roster
from coursekit.project import ROOT, Project

ASSIGNMENT, NOTICE = "assignment.json", "안내.md"
_SIGN = "**제출하기 전에 채웁니다.**\n\n학번: {id}\n\n이름: {name}"
_WEEKDAYS = "월화수목금토일"


@dataclass(frozen=True)
class Assignment:
    """``due`` in ISO form; ``version`` of the probes that it was released with."""

    exercise: str
    title: str
    due: str
    points: dict[str, int]
    version: str


def release(
    exercise: Exercise,
    out: Path,
    *,
    due: datetime,
    notebook: Path | None = None,
    roster: Roster | None = None,
    root: Path = ROOT,
) -> list[Path]:
    """Write the package into ``out``; the paths written.  Raises `CourseError` and writes nothing
    if the notebook would give something away.
    """
    source = notebook or root / "exercises" / f"{exercise.name}.ipynb"
    document = _read(source)
    _check_blank(exercise, source, root)
    points = {q.name: q.points for q in (*exercise.questions, *exercise.texts)}
    assignment = Assignment(
        exercise.name, exercise.title, due.isoformat(), points, exercise.version
    )
    name = f"{exercise.name}.ipynb"
    blank = _notebook(document, "", "")
    notice = _notice(assignment, due, "" if notebook else _colab(exercise.name, root))
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(name, blank)
        archive.writestr(NOTICE, notice)
    files = {
        out / name: blank,
        out / NOTICE: notice.encode(),
        out / f"{exercise.name}.zip": packed.getvalue(),
        out / ASSIGNMENT: (
            json.dumps(asdict(assignment), ensure_ascii=False, indent=1) + "\n"
        ).encode(),
    }
    for student in roster.students if roster else ():
        own = f"{_plain(student.id)}_{_plain(student.name)}_{exercise.name}.ipynb"
        files[out / "학생별" / own] = _notebook(document, student.id, student.name)
    for path, data in files.items():
        write_whole(path, data)
    return list(files)


def read(folder: Path, exercise: str = "") -> Assignment:
    """What `release` wrote into ``folder``, which must be of ``exercise`` if that is given."""
    path = folder / ASSIGNMENT if folder.is_dir() else folder
    try:
        found = Assignment(**json.loads(path.read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError) as error:
        raise CourseError(f"배포 기록을 읽지 못했습니다. ({type(error).__name__})", path) from None
    if exercise and found.exercise != exercise:
        raise CourseError(
            f"다른 연습의 배포 폴더입니다: {found.exercise}. {exercise}의 폴더를 줍니다.", path
        )
    return found


def _read(path: Path) -> dict:
    try:
        document = json.loads(read_bytes(path))
    except Unreadable as error:
        raise CourseError(str(error), path) from None
    except ValueError:
        raise CourseError("노트북 형식이 아닙니다.", path) from None
    if not isinstance(document, dict) or not isinstance(document.get("cells"), list):
        raise CourseError("노트북 형식이 아닙니다.", path)
    return document


def _check_blank(exercise: Exercise, path: Path, root: Path) -> None:
    """Every function must be a stub, and nothing of the answers may stand anywhere."""
    functions = [question.function for question in exercise.questions]
    try:
        read = submission.read(path, functions, exercise=exercise.name)
        cells = read_cells(path)
    except Unreadable as error:
        raise CourseError(str(error), path) from None
    stubs = given.blank(exercise.name, root).forms
    for question in exercise.questions:
        name = question.function
        if not read.defining(name):
            raise CourseError(f"{question.name}의 함수 {name}이 없습니다.", path)
        if not read.is_blank(name):
            raise CourseError(f"{question.name}의 {name}에 답이 들어 있습니다.", path)
        for index, node in _definitions(cells, name):
            if not _is_stub(node, stubs.get(name)):
                raise CourseError(
                    f"{question.name}의 {name}이 빈칸 노트북의 것과 다릅니다(셀 {index + 1}). "
                    f"exercises/{exercise.name}.ipynb의 빈칸으로 되돌립니다.", path,
                )  # fmt: skip
    text = path.read_text(encoding="utf-8")
    if marks := re.findall(r"(?:BEGIN|END) (?:SOLUTION|HIDDEN TESTS)", text):
        raise CourseError(f"풀이를 표시하는 말이 남아 있습니다: {marks[0]}", path)
    answers = published.solution(root / "solutions" / f"{exercise.name}.ipynb", functions)
    if same := published.copied(read, answers):
        raise CourseError(f"공개된 풀이가 들어 있습니다: {', '.join(same)}", path)


def _definitions(cells: list[Cell], name: str) -> Iterator[tuple[int, ast.stmt]]:
    """Number of the cell and statement, for each statement at any depth that binds ``name``."""
    for cell in cells:
        tree = syntax.parse(magics.prepare(cell.source).source) if cell.kind == "code" else None
        for node in ast.walk(tree) if tree else ():
            if isinstance(node, ast.stmt) and name in syntax.bound(node):
                yield cell.index, node


def _is_stub(node: ast.stmt, form: str | None) -> bool:
    """Whether ``node`` is the blank of the exercise (its `course.form`); where the exercise has no
    blank notebook, whether it stops at once.
    """
    if not isinstance(node, ast.FunctionDef):
        return False
    if form is not None and given.form(node) != form:
        return False
    for part in node.body:
        if isinstance(part, ast.Raise) and "NotImplementedError" in ast.dump(part):
            return True
        if isinstance(part, ast.Return) or (form is None and not isinstance(part, ast.Expr)):
            return False
    return False


def _notebook(document: dict, identity: str, name: str) -> bytes:
    """The notebook with a cell to sign and without outputs."""
    sign = {"cell_type": "markdown", "metadata": {}, "source": _SIGN.format(id=identity, name=name)}
    if document.get("nbformat_minor", 0) >= 5:
        sign["id"] = "who-am-i"
    cells = []
    for cell in document["cells"]:
        cell = dict(cell)
        if cell.get("cell_type") == "code":
            cell |= {"outputs": [], "execution_count": None}
        cells.append(cell)
    # below the title, if there is one
    at = 1 if cells and cells[0].get("cell_type") == "markdown" else 0
    changed = {**document, "cells": [*cells[:at], sign, *cells[at:]]}
    return (json.dumps(changed, ensure_ascii=False, indent=1) + "\n").encode()


def _colab(name: str, root: Path) -> str:
    """Address that opens the exercise; "" while the repository's address is a stand-in."""
    project = Project(root)
    return "" if project.stand_in else project.colab_url(f"exercises/{name}.ipynb")


def _notice(assignment: Assignment, due: datetime, colab: str) -> str:
    day = f"{due:%Y-%m-%d}({_WEEKDAYS[due.weekday()]}) {due:%H:%M}"
    total = sum(assignment.points.values())
    lines = [
        f"# {assignment.title}", "", f"- 마감: {day} (한국 시각)", f"- 만점: {total}점", "",
        "| 문제 | 점수 |", "|---|---|",
        *(f"| {name} | {points} |" for name, points in assignment.points.items()), "",
        "## 하는 법", "",
    ]  # fmt: skip
    if colab:
        lines.append(f"1. [Colab에서 엽니다]({colab}). 또는 첨부한 노트북을 Colab에 올립니다.")
    else:
        lines.append(
            "1. [Colab](https://colab.research.google.com)에서 `파일 → 노트북 업로드`로 첨부한 "
            "노트북을 올립니다."
        )
    lines += [
        "2. `파일 → 드라이브에 사본 저장`을 누르고, 사본에서 답을 씁니다. 함수의 이름은 바꾸지 않습니다.",
        "3. `런타임 → 세션 다시 시작 및 모두 실행`을 눌러 처음부터 실행해 봅니다.",
        f"4. `파일 → 다운로드 → .ipynb 다운로드`로 받고, 이름을 `학번_이름_{assignment.exercise}.ipynb`로 바꿉니다.",
        "5. 그 파일 하나를 냅니다. 마감 전에는 다시 내도 되고, 마지막에 낸 것을 채점합니다.",
        "",
    ]
    return "\n".join(lines)


def _plain(text: str) -> str:
    return re.sub(r"[^\w.-]+", "", text)
