"""What people read about a question: title, probes, rubric, hints and where the chapter teaches it.

Read from the exercise set and its blank notebook.  Kept in the gradebook, so that reports can be
made where the course is not.
"""

from __future__ import annotations

import re
from pathlib import Path

from coursekit.grading.course import published
from coursekit.grading.handed_in import submission
from coursekit.grading.handed_in.notebook import Unreadable, read_cells
from coursekit.grading.probes.questions import Exercise
from coursekit.project import ROOT

RUBRIC = "rubric.md"
_MAX_ANSWER = 60_000


def describe(exercise: Exercise, root: Path = ROOT) -> list[dict]:
    """One dict per question, in order: name, function, title, points, kind (code or text),
    probes, rubric, hints (Markdown) and sections (titles of the chapter's sections).
    """
    statements = _sections(root / "exercises" / f"{exercise.name}.ipynb")
    rubrics = _rubrics(exercise.folder / RUBRIC if exercise.folder else None)
    found = []
    for question in exercise.questions:
        statement = _under(question.name, statements)
        found.append({
            "name": question.name, "function": question.function, "title": question.title,
            "points": question.points, "kind": "code",
            "probes": [{"name": p.name, "title": p.title, "points": p.points, "show": p.show}
                       for p in question.probes],
            "rubric": rubrics.get(_fold(question.name), ""), "hints": hints(statement),
            "sections": look_again(statement),
        })  # fmt: skip
    for text in exercise.texts:
        statement = _under(text.heading, statements)
        found.append({
            "name": text.name, "function": "", "title": text.heading, "points": text.points,
            "kind": "text", "probes": [],
            "rubric": rubrics.get(_fold(text.name), ""),
            "hints": hints(statement), "sections": look_again(statement),
        })  # fmt: skip
    return found


def answers(exercise: Exercise, path: Path) -> dict[str, str]:
    """Question → what was written: the cells that define its function, or the text.

    For a function that is nowhere: the functions of other names, for a person to look through.
    """
    functions = [question.function for question in exercise.questions]
    try:
        read = submission.read(path, functions, [text.heading for text in exercise.texts])
    except Unreadable:
        return {}
    stray = read.stray(published.given(ROOT / "exercises" / f"{exercise.name}.ipynb"))
    found = {}
    for question in exercise.questions:
        name = question.function
        cells = [c for c in read.defining(name) if name not in c.blanks]
        if not read.defining(name):
            cells = stray
        found[question.name] = "\n\n".join(c.source.strip("\n") for c in cells)[:_MAX_ANSWER]
    for text in exercise.texts:
        found[text.name] = read.texts.get(text.heading, "")[:_MAX_ANSWER]
    return found


def hints(statement: str) -> list[str]:
    pattern = r"<details>\s*<summary>\s*힌트[^<]*</summary>(.*?)</details>"
    return [hint.strip() for hint in re.findall(pattern, statement, re.S)]


def look_again(statement: str) -> list[str]:
    """Titles of the chapter's sections that the author names in a line ``다시 볼 곳: …``."""
    lines = re.findall(r"^다시 볼 곳:.*$", statement, re.M)
    return [title for line in lines for title in re.findall(r"‘(.+?)’", line)]


def _rubrics(path: Path | None) -> dict[str, str]:
    """Folded heading → Markdown below it, from ``rubric.md``."""
    if path is None or not path.is_file():
        return {}
    parts = re.split(r"^##\s+(.*)$", path.read_text(encoding="utf-8"), flags=re.M)
    return {_fold(head): body.strip() for head, body in zip(parts[1::2], parts[2::2], strict=True)}


def _sections(path: Path) -> dict[str, str]:
    """Title → all text (prose and code) up to the next heading."""
    try:
        cells = read_cells(path)
    except Unreadable:
        return {}
    found: dict[str, str] = {}
    title = ""
    for cell in cells:
        for line in cell.source.splitlines():
            head = re.match(r"##\s+(.*)", line) if cell.kind == "markdown" else None
            if head:
                title = head[1].strip()
            elif title:
                found[title] = found.get(title, "") + line + "\n"
    return found


def _under(name: str, sections: dict[str, str]) -> str:
    pattern = re.escape(_fold(name)) + r"(?!\d)"  # 문제 1, not 문제 10
    return next((text for t, text in sections.items() if re.match(pattern, _fold(t))), "")


def _fold(text: str) -> str:
    return re.sub(r"\s+", "", text)
