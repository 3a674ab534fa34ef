"""What the verbs share: how they speak, what they ask for, how an error ends."""

from __future__ import annotations

import functools
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from coursekit.findings import CourseError
from coursekit.grading.commands import private
from coursekit.grading.probes import questions
from coursekit.grading.sandbox.boxes import SandboxError
from coursekit.project import ROOT

console = Console(highlight=False)


def say(message: str, style: str | None = None) -> None:
    console.print(message, style=style, markup=False, soft_wrap=True)


def fail(message: str) -> typer.Exit:
    say(message, "red")
    return typer.Exit(1)


def warn_of(place: Path) -> None:
    """Say so where students' names and work would lie in the repository."""
    if words := private.warning(place):
        say(words, "yellow")


def explained(command: Callable) -> Callable:
    """An error that a person can mend is one Korean message."""

    @functools.wraps(command)
    def run(*arguments, **options):
        try:
            return command(*arguments, **options)
        except SandboxError as error:
            advice = "`grade doctor`가 고치는 법을 알려 줍니다."
            raise fail(f"{error}\n{advice}") from None
        except CourseError as error:
            raise fail(str(error)) from None

    return run


def questions_of(exercise: Path, grading: Path | None) -> questions.Exercise:
    """Probes for the exercise set that ``exercise`` names (a path, with or without suffix)."""
    folder = grading or ROOT / "grading" / exercise.name.removesuffix(".ipynb")
    if grading and not (folder / "probes.py").exists():
        folder = grading / exercise.name.removesuffix(".ipynb")
    return questions.load(folder)


Exercise = Annotated[Path, typer.Argument(help="연습 (예: exercises/02-jit-and-xla)")]
Grading = Annotated[
    Path | None, typer.Option(help="강사만 아는 검사가 든 폴더 (없으면 공개된 검사)")
]
Book = Annotated[Path, typer.Argument(help="성적부 (grade run이 알려 준 gradebook.db)")]
Which = Annotated[str, typer.Option("--exercise", help="연습의 이름. 하나뿐이면 쓰지 않습니다")]
ClassList = Annotated[Path | None, typer.Option("--roster", help="명단 CSV")]
