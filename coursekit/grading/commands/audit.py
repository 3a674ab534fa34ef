"""``grade audit``: the probes of a set, proven."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from coursekit.grading.audit import proof
from coursekit.grading.commands.shared import console, explained, questions_of, say
from coursekit.project import ROOT


@explained
def audit(
    exercise: Annotated[Path, typer.Argument(help="연습 (예: exercises/07-from-pytorch)")],
    grading: Annotated[Path | None, typer.Option(help="강사만 아는 검사가 든 폴더")] = None,
) -> None:
    """채점 문제를 시험합니다: 바른 답, 틀린 답, 빈칸, 변이."""
    asked = questions_of(exercise, grading)
    blank = ROOT / "exercises" / f"{asked.name}.ipynb"
    bar = (TextColumn("채점"), BarColumn(), TextColumn("{task.completed}"), TimeElapsedColumn())
    with Progress(*bar, console=console, transient=True) as progress:
        task = progress.add_task("", total=None)
        complaints = proof.audit(asked, blank, lambda result: progress.advance(task))
    for complaint in complaints:
        say(complaint)
    if complaints:
        raise typer.Exit(1)
    console.print(f"{asked.name}: {asked.points}점. 모두 기대한 점수를 받았습니다.")
