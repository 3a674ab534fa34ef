"""Proof of an exercise set: right answers, planted wrong answers, the blank and mutants.

``right/*.py`` earn everything, each ``wrong/*.py`` exactly what its first line says
(``# points: N``), the blank nothing, and every mutant loses points or is explained.  The planted
answers are tried with several seeds: points that depend on the inputs drawn are not fair.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

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


def audit(
    exercise: Exercise,
    blank: Path,
    on_done: Callable[[Result], None] = lambda result: None,
    seeds: int = 3,
) -> list[str]:
    """Complaints in Korean; writes the mutants' ledger if it was out of date."""
    expected = planted(exercise, blank)
    complaints = []
    for _ in range(seeds):
        results = batch.run(exercise, [item for item, _ in expected], on_done=on_done)
        complaints += [
            f"{result.submission}: {points}점이어야 하는데 {result.points}점입니다. "
            f"(씨앗 {result.seed})"
            for result, (_, points) in zip(results, expected, strict=True)
            if result.points != points
        ]
    points = mutants.load_ledger(exercise)
    if points is None:
        points = mutants.run(exercise, on_done=on_done, until_loss=True)
        mutants.save_ledger(exercise, points)
    complaints += [f"점수를 잃지 않는 변이: {name}" for name in mutants.survivors(exercise, points)]
    unused = mutants.unused(exercise, points)
    return complaints + [f"equivalent.txt에만 있는 변이: {name}" for name in unused]
