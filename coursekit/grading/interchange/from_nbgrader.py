"""A source notebook of nbgrader → a manuscript and a grading folder of this course.

Prose, answers and visible tests come over as they are.  Hidden tests become comments in
``probes.py``: a probe that can't be forged must be written anew, and until then grading with it
stops with a message that says so.
"""

from __future__ import annotations

import ast
import json
import re
import textwrap
from dataclasses import dataclass, field
from pathlib import Path

from coursekit.findings import CourseError
from coursekit.grading.handed_in import syntax
from coursekit.grading.handed_in.notebook import Unreadable, read_bytes

_HIDDEN = re.compile(
    r"^[ \t]*### BEGIN HIDDEN TESTS\n(.*?)^[ \t]*### END HIDDEN TESTS\n?", re.M | re.S
)
_HEAD = "---\nkernelspec: {display_name: Python 3, language: python, name: python3}\n---\n"


@dataclass
class Imported:
    """Files by their place below a checkout, and what a person still has to do."""

    files: dict[str, str]
    to_do: list[str]


@dataclass
class _Question:
    name: str
    function: str
    points: float = 0.0
    tests: list[str] = field(default_factory=list)


def convert(path: Path, name: str) -> Imported:
    """``name``: such as ``08-mine``.  Raises `CourseError` if ``path`` is no such notebook."""
    cells = _cells(path)
    blocks: list[str] = [_HEAD]
    to_do: list[str] = []
    questions: list[_Question] = []
    texts: list[tuple[str, float]] = []
    answers: list[str] = []
    for cell in cells:
        marks, text = cell["metadata"].get("nbgrader", {}), _text(cell)
        if cell.get("cell_type") == "markdown":
            if marks.get("grade"):  # free text
                heading = f"글 {len(texts) + 1}"
                texts.append((heading, marks.get("points", 0)))
                blocks.append(f"## {heading}\n\n{text}")
            else:
                blocks.append(text)
        elif cell.get("cell_type") == "code" and marks.get("solution"):
            function = _first_function(text)
            number = len(questions) + 1
            if function is None:
                to_do.append(f"답 셀 {number}: 함수가 아닙니다. 값을 돌려주는 함수로 바꿉니다.")
                function = f"answer_{number}"
            questions.append(_Question(f"문제 {number}", function))
            questions[-1].points += marks.get("points", 0) if marks.get("grade") else 0
            blocks += [f"## 문제 {number}", _fenced(text, "solution")]
            answers.append(re.sub(r"^[ \t]*### (?:BEGIN|END) SOLUTION\n?", "", text, flags=re.M))
        elif cell.get("cell_type") == "code" and marks.get("grade"):
            if not questions:
                to_do.append("첫 답 셀보다 앞에 있는 시험 셀은 옮기지 않았습니다.")
                continue
            question = questions[-1]
            question.points += marks.get("points", 0)
            question.tests.append(text)
            if visible := _HIDDEN.sub("", text).strip():
                blocks.append(_fenced(_check(question.name, visible), "check"))
        elif text.strip():
            blocks.append(_fenced(text))
            if cell.get("cell_type") == "code":
                answers.append(text)
    if not questions and not texts:
        raise CourseError("nbgrader의 답 셀이 없습니다. source 폴더의 노트북을 줍니다.", path)
    if questions and "# include: check.py" not in "".join(blocks):
        blocks.insert(2 if len(blocks) > 1 else 1, _fenced("# include: check.py"))
    to_do += [
        f"{q.name}: {q.points:g}점짜리 검사를 grading/{name}/probes.py에 씁니다." for q in questions
    ]
    files = {
        f"source/exercises/{name}.md": "\n\n".join(block.strip("\n") for block in blocks) + "\n",
        f"grading/{name}/probes.py": _probes(name, questions, texts),
        f"grading/{name}/right/1-imported.py": "\n\n\n".join(a.strip("\n") for a in answers) + "\n",
        f"grading/{name}/equivalent.txt": "",
    }
    return Imported(files, to_do)


def _cells(path: Path) -> list[dict]:
    try:
        document = json.loads(read_bytes(path))
        found = document["cells"]
        return [{**cell, "metadata": dict(cell.get("metadata") or {})} for cell in found]
    except Unreadable as error:
        raise CourseError(str(error), path) from None
    except (ValueError, KeyError, TypeError, AttributeError):
        raise CourseError("노트북 형식이 아닙니다.", path) from None


def _text(cell: dict) -> str:
    text = cell.get("source", "")
    return text if isinstance(text, str) else "".join(text)


def _fenced(text: str, tag: str = "") -> str:
    fence = "`" * max(3, *(len(run) + 1 for run in re.findall("`{3,}", text) or [""]))
    tags = f":tags: [{tag}]\n" if tag else ""
    return f"{fence}{{code-cell}}\n{tags}{text.strip(chr(10))}\n{fence}"


def _check(name: str, text: str) -> str:
    return f'@check("{name}")\ndef _():\n' + textwrap.indent(
        text, "    ", lambda line: bool(line.strip())
    )


def _first_function(text: str) -> str | None:
    try:
        tree = syntax.tree(text)
    except SyntaxError:
        return None
    return next((node.name for node in tree.body if isinstance(node, ast.FunctionDef)), None)


def _probes(name: str, questions: list[_Question], texts: list[tuple[str, float]]) -> str:
    lines = [
        f'"""nbgrader에서 옮긴 {name}의 문제. 검사는 다시 씁니다."""', "",
        "from coursekit.grading.probes import Exercise, ExerciseError", "",
        f'exercise = Exercise("{name}", "{name}")',
    ]  # fmt: skip
    for number, question in enumerate(questions, 1):
        lines.append(
            f'q{number} = exercise.function("{question.name}", "{question.function}", "{question.name}")'
        )
    for heading, points in texts:
        lines.append(f'exercise.text("{heading}", "{heading}", {max(1, round(points))})')
    for number, question in enumerate(questions, 1):
        lines += ["", "", f"# {question.name} " + "-" * 60]
        lines += [f"# {line}".rstrip() for test in question.tests for line in test.splitlines()]
        lines += [
            f'@q{number}.probe({max(1, round(question.points))}, "옮긴 검사")',
            f"def imported_{number}(draw):",
            f'    raise ExerciseError("{question.name}의 검사를 아직 쓰지 않았습니다: {name}/probes.py")',
            "    yield",
        ]
    return "\n".join(lines) + "\n"
