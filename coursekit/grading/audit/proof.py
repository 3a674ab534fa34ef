"""Proof of an exercise set: right answers, planted wrong answers, the blank and mutants.

``right/*.py`` earn everything, each ``wrong/*.py`` exactly what its first line says
(``# points: N``), the blank nothing, and every mutant loses points or is explained.  The planted
answers are tried with several seeds: points that depend on the inputs drawn are not fair.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from coursekit.findings import CourseError
from coursekit.grading.audit import mutants
from coursekit.grading.engine import batch
from coursekit.grading.probes.questions import Exercise
from coursekit.grading.records.result import Result


def planted(exercise: Exercise, blank: Path) -> list[tuple[batch.Item, int]]:
    """Every answer whose points are known, with those points."""
    plan = [(path, exercise.judged_points) for path in exercise.right_answers]
    for path in sorted((exercise.folder / "wrong").glob("*.py")):
        found = re.match(r"# points: (\d+)", path.read_text(encoding="utf-8"))
        plan.append((path, int(found[1]) if found else -1))
    if blank.exists():
        plan.append((blank, 0))
    return [(batch.Item(f"{p.parent.name}/{p.name}", p), points) for p, points in plan]


def only(exercise: Exercise, question: str) -> Exercise:
    """The set cut down to one question, by its name, number or function; CourseError without it."""
    for asked in exercise.questions:
        if question in (asked.name, asked.name.removeprefix("문제 "), asked.function):
            return replace(exercise, questions=[asked], texts=[])
    names = ", ".join(f"{asked.name}({asked.function})" for asked in exercise.questions)
    raise CourseError(f"{exercise.name}에 '{question}' 문제가 없습니다. 있는 문제: {names}")


def answers_only(path: Path, exercise: Exercise, whole: Exercise) -> bool:
    """Whether a planted answer defines a question of ``exercise`` and no other of ``whole``."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    defined = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
    asked = {question.function for question in exercise.questions}
    others = {question.function for question in whole.questions} - asked
    return bool(defined & asked) and not defined & others


def audit(
    exercise: Exercise,
    blank: Path,
    on_done: Callable[[Result], None] = lambda result: None,
    seeds: int = 3,
    quick: bool = False,
    question: str = "",
) -> list[str]:
    """Complaints in Korean; writes the mutants' ledger if it was out of date.

    ``quick`` tries the planted answers once and no mutants.  With ``question`` only that one is
    asked, once and without mutants too; only the full audit proves a set.
    """
    expected = planted(exercise, blank)
    if question:
        whole, exercise = exercise, only(exercise, question)
        expected = [
            (item, exercise.judged_points if item.path in whole.right_answers else points)
            for item, points in expected
            if item.path.parent.name != "wrong" or answers_only(item.path, exercise, whole)
        ]
    complaints: list[str] = []
    for _ in range(1 if quick or question else seeds):
        results = batch.run(exercise, [item for item, _ in expected], on_done=on_done)
        complaints += [
            f"{result.submission}: {points}점이어야 하는데 {result.points}점입니다. "
            f"(씨앗 {result.seed})"
            for result, (_, points) in zip(results, expected, strict=True)
            if result.points != points
        ]
    if quick or question:
        return complaints
    points = mutants.load_ledger(exercise)
    if points is None:
        points = mutants.run(exercise, on_done=on_done, until_loss=True)
        mutants.save_ledger(exercise, points)
    complaints += [f"점수를 잃지 않는 변이: {name}" for name in mutants.survivors(exercise, points)]
    unused = mutants.unused(exercise, points)
    return complaints + [f"equivalent.txt에만 있는 변이: {name}" for name in unused]
