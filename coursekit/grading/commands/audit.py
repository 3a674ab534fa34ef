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
    quick: Annotated[bool, typer.Option("--quick", help="변이 없이, 씨앗 하나로 한 번만")] = False,
    question: Annotated[
        str, typer.Option(help="한 문제만(번호나 함수의 이름). 변이 없이 한 번만")
    ] = "",
) -> None:
    """채점 문제를 확인합니다: 바른 답, 틀린 답, 빈칸, 변이."""
    asked = questions_of(exercise, grading)
    blank = ROOT / "exercises" / f"{asked.name}.ipynb"
    bar = (TextColumn("채점"), BarColumn(), TextColumn("{task.completed}"), TimeElapsedColumn())
    with Progress(*bar, console=console, transient=True) as progress:
        task = progress.add_task("", total=None)
        complaints = proof.audit(
            asked,
            blank,
            lambda result: progress.advance(task),
            quick=quick,
            question=question,
        )
    for complaint in complaints:
        say(complaint)
    if complaints:
        raise typer.Exit(1)
    if quick or question:
        what = asked.name
        if question:
            what += f" {proof.only(asked, question).questions[0].name}"
        say(f"{what}: 심어 둔 답이 모두 기대한 점수를 받았습니다. 변이는 보지 않았습니다.")
        return
    console.print(f"{asked.name}: {asked.points}점. 모두 기대한 점수를 받았습니다.")
