"""What the commands show on a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

from coursekit.findings import Finding
from coursekit.notebooks import publish
from coursekit.project import Project

console = Console(highlight=False, soft_wrap=True)

_ACTIONS = {
    "same": "그대로",
    "written": "글만 바뀜",
    "executed": "실행함",
    "must-run": "실행해야 함",
    "failed": "실패",
}


def show_findings(findings: Iterable[Finding]) -> None:
    for finding in findings:
        console.print(str(finding), markup=False)


@contextmanager
def working(message: str) -> Iterator[None]:
    """A spinner with elapsed time; on a pipe, one line."""
    if console.is_terminal:
        with Progress(SpinnerColumn(), TextColumn(message), TimeElapsedColumn(), console=console):
            yield
    else:
        console.print(message, markup=False)
        yield


def build_notebooks(
    project: Project, numbers: tuple[str, ...] = (), force: bool = False, run: bool = True
) -> list[publish.Outcome]:
    """``publish.build`` with a bar for each notebook that runs and a line for each result."""
    bars: dict = {}
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.completed}/{task.total} 셀"),
        TimeElapsedColumn(),
    )
    quiet = not console.is_terminal
    with Progress(*columns, console=console, transient=True, disable=quiet) as progress:

        def on_cell(target: publish.Target, index: int) -> None:
            if target.path not in bars:
                count = len(target.document.cells)
                bars[target.path] = progress.add_task(str(target.path), total=count)
                if quiet:
                    console.print(f"실행합니다: {target.path} (셀 {count}개)", markup=False)
            progress.update(bars[target.path], completed=index)

        def on_end(outcome: publish.Outcome) -> None:
            if outcome.path in bars:
                progress.remove_task(bars.pop(outcome.path))
            if outcome.action != "same":
                console.print(f"{_ACTIONS[outcome.action]}  {outcome.path}", markup=False)
            if outcome.error:
                console.print(str(outcome.error), markup=False, style="red")

        return publish.build(
            project.sources(numbers), project, force=force, run=run, on_cell=on_cell, on_end=on_end
        )
