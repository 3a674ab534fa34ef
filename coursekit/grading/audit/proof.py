"""Proof of an exercise set: right answers, planted wrong answers, the blank and mutants.

``right/*.py`` earn everything, each ``wrong/*.py`` and ``near/*.py`` exactly what its first line
says (``# points: N``), the blank nothing, and every mutant loses points or is explained.  The
planted answers are tried with several seeds: points that depend on the inputs drawn are not fair.

Points must also follow what was learned (`unfair`).  ``near/qN-*.py`` are right solutions of
question N with one slip that people make; ``wrong/qN-as-given*.py`` is the code of its statement,
untouched or merely translated.
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
from coursekit.grading.handed_in import syntax
from coursekit.grading.probes.questions import Exercise
from coursekit.grading.records.result import Result

LEAST_NEAR = 3  # answers with one slip, for each question


def planted(exercise: Exercise, blank: Path) -> list[tuple[batch.Item, int]]:
    """Every answer whose points are known, with those points."""
    plan = [(path, exercise.judged_points) for path in exercise.right_answers]
    for path in [*_answers(exercise, "wrong"), *_answers(exercise, "near")]:
        plan.append((path, _written_points(path)))
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
    tree = syntax.tree(path.read_text(encoding="utf-8"))
    defined = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
    asked = {question.function for question in exercise.questions}
    others = {question.function for question in whole.questions} - asked
    return bool(defined & asked) and not defined & others


def _answers(exercise: Exercise, kind: str, stem: str = "*") -> list[Path]:
    return sorted((exercise.folder / kind).glob(f"{stem}.py"))


def _written_points(path: Path) -> int:
    """What the first line says; -1 if it says nothing, so that no result agrees."""
    found = re.match(r"# points: (\d+)", path.read_text(encoding="utf-8"))
    return int(found[1]) if found else -1


def unfair(exercise: Exercise) -> list[str]:
    """Complaints in Korean about the points that are written down, nothing is graded.

    A near miss earns at least half of its question and not all of it; the code as it was given
    at most a quarter, and less than each near miss.
    """
    complaints = []
    for number, question in enumerate(exercise.questions, 1):
        near = {path: _written_points(path) for path in _answers(exercise, "near", f"q{number}-*")}
        given = _answers(exercise, "wrong", f"q{number}-as-given*")
        if len(near) < LEAST_NEAR:
            complaints.append(
                f"{question.name}: 하나만 빗나간 답이 near/에 {LEAST_NEAR}개 이상 있어야 하는데 "
                f"{len(near)}개입니다."
            )
        complaints += [
            f"near/{path.name}: {question.points}점 가운데 절반은 받고 만점은 아니어야 "
            f"하는데 {points}점입니다."
            for path, points in near.items()
            if not question.points / 2 <= points < question.points
        ]
        most = min([question.points / 4, *(points - 1 for points in near.values())])
        complaints += [
            f"wrong/{path.name}: 문제에 적힌 코드 그대로는 {question.points}점의 4분의 1까지이고 "
            f"하나만 빗나간 답보다 적어야 하는데 {points}점입니다."
            for path in given
            if (points := _written_points(path)) > most
        ]
    return complaints


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
    complaints = [] if question else unfair(exercise)
    if question:
        whole, exercise = exercise, only(exercise, question)
        expected = [
            (item, exercise.judged_points if item.path in whole.right_answers else points)
            for item, points in expected
            if item.path.parent.name not in ("wrong", "near")
            or answers_only(item.path, exercise, whole)
        ]
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
