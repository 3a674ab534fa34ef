"""An exercise set → a source notebook for nbgrader (``source/NAME/NAME.ipynb``).

Answers keep their ``### BEGIN SOLUTION`` marks, which nbgrader knows.  The visible checks become
its autograded cells, made to raise where ours print.  Our probes have no counterpart there: a
verdict computed in the student's process can be forged, so what is exported is practice.
"""

from __future__ import annotations

import ast
import json
import re
from pathlib import Path

from coursekit.findings import CourseError
from coursekit.grading.handed_in import syntax
from coursekit.grading.probes.questions import Exercise
from coursekit.notebooks import source
from coursekit.project import ROOT, Project

SCHEMA = 3  # of nbgrader's cell metadata, since 0.6


def export(exercise: Exercise, root: Path = ROOT) -> bytes:
    """The notebook.  Raises `CourseError` if the set has no manuscript or a check is not ours."""
    path = root / "source" / "exercises" / f"{exercise.name}.md"
    if not path.exists():
        raise CourseError("원고가 없습니다. 이 저장소의 연습만 내보냅니다.", path)
    document = source.read(path, Project(root))
    points = {question.name: question.points for question in exercise.questions}
    functions = {question.function: question.name for question in exercise.questions}
    checks = [
        name for cell in document.cells if "check" in cell.tags for name in _asked(cell.source)
    ]
    left = {name: checks.count(name) for name in points}
    cells = []
    counts: dict[str, int] = {}
    for cell in document.cells:
        if "solution" in cell.tags:
            names = [functions[n] for n in _defined(cell.source) if n in functions]
            grade_id = _id("answer", names[0] if names else f"{len(cells)}")
            cells.append(_code(cell.source, grade_id, solution=True))
        elif "check" in cell.tags:
            name = next(iter(_asked(cell.source)), "")
            share = 0
            if name in points:
                share = points[name] // left[name]
                points[name], left[name] = points[name] - share, left[name] - 1
            counts[name] = counts.get(name, 0) + 1
            grade_id = _id("test", f"{name}-{counts[name]}")
            cells.append(_code(_raising(cell.source, path), grade_id, points=share))
        elif cell.kind == "code":
            cells.append(_code(cell.source))
        else:
            cells.append({"cell_type": "markdown", "metadata": {}, "source": cell.source})
    for text in exercise.texts:
        cells.append({"cell_type": "markdown", "metadata": {}, "source": f"## {text.heading}"})
        cells.append({
            "cell_type": "markdown", "source": "여기에 씁니다",
            "metadata": {"nbgrader": _marks(_id("text", text.name), text.points, True, True)},
        })  # fmt: skip
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    for number, cell in enumerate(cells):
        cell["id"] = f"cell-{number}"
    notebook = {
        "nbformat": 4,
        "nbformat_minor": 5,
        "metadata": {"kernelspec": kernel},
        "cells": cells,
    }
    return (json.dumps(notebook, ensure_ascii=False, indent=1) + "\n").encode()


def _code(text: str, grade_id: str = "", *, solution: bool = False, points: int = 0) -> dict:
    metadata = {}
    if grade_id:
        metadata["nbgrader"] = _marks(grade_id, 0 if solution else points, not solution, solution)
    return {"cell_type": "code", "metadata": metadata, "source": text, "outputs": [],
            "execution_count": None}  # fmt: skip


def _marks(grade_id: str, points: int, grade: bool, solution: bool) -> dict:
    marks = {"grade_id": grade_id, "grade": grade, "solution": solution, "task": False,
             "locked": grade and not solution, "schema_version": SCHEMA}  # fmt: skip
    return marks | ({"points": points} if grade else {})


def _id(kind: str, name: str) -> str:
    """nbgrader wants Latin letters, digits and hyphens."""
    return f"{kind}-" + (
        re.sub(r"[^A-Za-z0-9-]+", "-", name.replace("문제", "q")).strip("-") or "x"
    )


def _asked(text: str) -> list[str]:
    return re.findall(r"@check\([\"'](문제 \d+)", text)


def _defined(text: str) -> list[str]:
    try:
        return [n.name for n in syntax.tree(text).body if isinstance(n, ast.FunctionDef)]
    except SyntaxError:
        return []


def _raising(text: str, path: Path) -> str:
    """``@check(…) def _(): …`` without the decorator, called: an assert that fails is an error."""
    tree = syntax.tree(text)
    found = [n for n in tree.body if isinstance(n, ast.FunctionDef) and n.name == "_"]
    if not found:
        raise CourseError("확인 셀에 @check(…) def _(): 꼴이 없습니다.", path)
    lines = text.splitlines()
    for node in reversed(found):
        for decorator in reversed(node.decorator_list):
            del lines[decorator.lineno - 1 : decorator.end_lineno]
        removed = sum(d.end_lineno - d.lineno + 1 for d in node.decorator_list)
        lines.insert(node.end_lineno - removed, "\n\n_()")
    return "\n".join(lines)
