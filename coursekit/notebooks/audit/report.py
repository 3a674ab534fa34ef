"""What the command ``audit`` shows: progress, then figures, then what nobody noticed."""

from __future__ import annotations

from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from coursekit.console import console
from coursekit.notebooks.audit import ledger, runner
from coursekit.notebooks.publish import Target
from coursekit.project import Project

_BOTH, _ASSERTS = 0.90, 0.75  # shares of mutants that a chapter should notice


def run(project: Project, targets: list[Target]) -> int:
    """Audit, print, and return the number of open survivors."""
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.completed}/{task.total} 셀"),
        TimeElapsedColumn(),
    )
    bars: dict = {}
    with Progress(
        *columns, console=console, transient=True, disable=not console.is_terminal
    ) as progress:

        def on_cell(target: Target, done: int, total: int) -> None:
            if target.path not in bars:
                bars[target.path] = progress.add_task(target.path.stem, total=total)
            progress.update(bars[target.path], completed=done)
            if not console.is_terminal:
                console.print(f"{target.path.stem}: {done}/{total} 셀", markup=False)

        runner.run(project, targets, on_cell)
    return _show(project, targets)


def _show(project: Project, targets: list[Target]) -> int:
    table = Table("장", "셀", "변이", "알아챔", "단언만으로", "설명됨", "열림", "짝", "재현 못 함")
    survivors = []
    for target in targets:
        known = ledger.reasons(target, project)
        entries = list(ledger.load(target, project).values())
        sums = ledger.figures(entries, known)
        both, asserts = _shares(sums)
        table.add_row(
            target.path.stem,
            str(sums.cells),
            str(sums.mutants),
            f"{both:.1%}{'' if both >= _BOTH else ' <'}",
            f"{asserts:.1%}{'' if asserts >= _ASSERTS else ' <'}",
            str(sums.explained),
            str(sums.open),
            f"{sums.swaps_noticed}/{sums.swaps}",
            str(sums.not_repeated),
        )
        for entry in entries:
            survivors += [
                f"{target.path.stem}: {entry.cell}\n  {name}"
                for name in entry.alive
                if name not in known
            ]
            if not entry.width:
                console.print(f"재현하지 못한 셀: {target.path.stem}: {entry.cell}", markup=False)
    for line in survivors:
        console.print(line, markup=False)
    console.print(table)
    console.print(f"<는 목표({_BOTH:.0%}, 단언만으로 {_ASSERTS:.0%})에 못 미치는 곳입니다.")
    return len(survivors)


def _shares(sums: ledger.Figures) -> tuple[float, float]:
    if not sums.mutants:
        return 1.0, 1.0
    return (sums.by_assert + sums.by_output) / sums.mutants, sums.by_assert / sums.mutants
