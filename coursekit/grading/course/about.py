"""What people read about a question: title, probes, rubric, hints and where the chapter teaches it.

Read from the exercise set and its blank notebook.  Kept in the gradebook, so that reports can be
made where the course is not.
"""

from __future__ import annotations

from pathlib import Path

from coursekit.grading.course import published, statements
from coursekit.grading.handed_in import submission
from coursekit.grading.handed_in.notebook import Unreadable
from coursekit.grading.probes.questions import Exercise
from coursekit.project import ROOT

RUBRIC = "rubric.md"
_MAX_ANSWER = 60_000


def describe(exercise: Exercise, root: Path = ROOT) -> list[dict]:
    """One dict per question, in order: name, function, title, points, kind (code or text),
    probes, rubric, hints (Markdown) and sections (titles of the chapter's sections).
    """
    texts = statements.of(root / "exercises" / f"{exercise.name}.ipynb")
    rubrics = statements.rubrics(exercise.folder / RUBRIC if exercise.folder else None)
    found = []
    for question in exercise.questions:
        statement = statements.under(question.name, texts)
        found.append({
            "name": question.name, "function": question.function, "title": question.title,
            "points": question.points, "kind": "code",
            "probes": [{"name": p.name, "title": p.title, "points": p.points, "show": p.show}
                       for p in question.probes],
            "rubric": statements.under(question.name, rubrics), "hints": statements.hints(statement),
            "sections": statements.look_again(statement),
        })  # fmt: skip
    for text in exercise.texts:
        statement = statements.under(text.heading, texts)
        found.append({
            "name": text.name, "function": "", "title": text.heading, "points": text.points,
            "kind": "text", "probes": [],
            "rubric": statements.under(text.name, rubrics),
            "hints": statements.hints(statement), "sections": statements.look_again(statement),
        })  # fmt: skip
    return found


def answers(exercise: Exercise, path: Path) -> dict[str, str]:
    """Question → what was written: the cells that define its function, or the text.

    For a function that is nowhere: the functions of other names, for a person to look through.
    """
    functions = [question.function for question in exercise.questions]
    try:
        headings = [text.heading for text in exercise.texts]
        read = submission.read(path, functions, headings, exercise.name)
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
