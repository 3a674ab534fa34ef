"""``grade run`` and ``grade doctor``: what an instructor types."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from coursekit.grading import audit, batch, doctor, questions
from coursekit.grading.bwrap import ROOT
from coursekit.grading.result import Result
from coursekit.grading.sandbox import SandboxError

app = typer.Typer(
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    help="제출한 노트북을 채점합니다.",
)
console = Console(highlight=False)

_STATUS = {
    "graded": "채점함", "partial": "일부만", "blank": "빈칸", "timeout": "시간 초과",
    "crashed": "멈춤", "review": "사람이 채점", "unreadable": "읽지 못함", "unmatched": "다른 노트북",
}  # fmt: skip


def fail(message: str) -> typer.Exit:
    console.print(message, style="red", markup=False, soft_wrap=True)
    return typer.Exit(1)


@app.command()
def run(
    exercise: Annotated[Path, typer.Argument(help="연습 (예: exercises/07-from-pytorch)")],
    submissions: Annotated[Path, typer.Option(help="제출물이 든 폴더")],
    grading: Annotated[
        Path | None, typer.Option(help="강사만 아는 검사가 든 폴더 (없으면 공개된 검사)")
    ] = None,
    out: Annotated[Path | None, typer.Option(help="결과를 쓸 폴더")] = None,
    workers: Annotated[int, typer.Option(help="동시에 채점할 수. 0이면 코어 수")] = 0,
    seed: Annotated[str, typer.Option(help="입력을 뽑는 씨앗. 같은 채점을 되풀이할 때")] = "",
    again: Annotated[bool, typer.Option("--again", help="이미 채점한 것도 다시")] = False,
    unsafe: Annotated[
        bool, typer.Option("--unsafe", help="샌드박스 없이 실행. 믿는 코드에만")
    ] = False,
) -> None:
    """폴더에 든 노트북을 모두 채점하고 표를 보여 줍니다."""
    asked = questions_of(exercise, grading)
    if not submissions.is_dir():
        raise fail(f"{submissions}: 폴더가 없습니다. 제출물이 든 폴더를 알려 주세요.")
    items = batch.find(submissions)
    if not items:
        raise fail(f"{submissions}: 제출물이 없습니다.")
    if unsafe:
        console.print("샌드박스 없이 채점합니다. 제출한 코드가 이 컴퓨터의 파일과 네트워크를 씁니다.",
                      style="yellow")  # fmt: skip
    out = out or submissions.resolve().with_name(f"{submissions.resolve().name}-results")
    bar = (TextColumn("채점"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(),
           TextColumn("{task.description}"))  # fmt: skip
    try:
        with Progress(*bar, console=console, transient=True) as progress:
            task = progress.add_task("준비합니다", total=len(items))

            def on_done(result: Result) -> None:
                progress.update(task, advance=1, description=result.submission[:40])

            results = batch.run(
                asked, items, out=out, workers=workers, seed=seed, again=again,
                unsafe=unsafe, hidden=[submissions, out], on_done=on_done,
            )  # fmt: skip
    except SandboxError as error:
        raise fail(f"{error}\n`grade doctor`가 고치는 법을 알려 줍니다. "
                   "안전하지 않아도 된다면 --unsafe를 붙이세요.") from None  # fmt: skip
    except questions.ExerciseError as error:
        raise fail(str(error)) from None
    console.print(table_of(results))
    console.print(f"결과: {out}", soft_wrap=True, markup=False)


@app.command("audit")
def prove(
    exercise: Annotated[Path, typer.Argument(help="연습 (예: exercises/07-from-pytorch)")],
    grading: Annotated[Path | None, typer.Option(help="강사만 아는 검사가 든 폴더")] = None,
) -> None:
    """채점 문제를 시험합니다: 바른 답, 틀린 답, 빈칸, 변이."""
    asked = questions_of(exercise, grading)
    blank = ROOT / "exercises" / f"{asked.name}.ipynb"
    bar = (TextColumn("채점"), BarColumn(), TextColumn("{task.completed}"), TimeElapsedColumn())
    try:
        with Progress(*bar, console=console, transient=True) as progress:
            task = progress.add_task("", total=None)
            complaints = audit.audit(asked, blank, lambda result: progress.advance(task))
    except SandboxError as error:
        raise fail(f"{error}\n`grade doctor`가 고치는 법을 알려 줍니다.") from None
    for complaint in complaints:
        console.print(complaint, markup=False, soft_wrap=True)
    if complaints:
        raise typer.Exit(1)
    console.print(f"{asked.name}: {asked.points}점. 모두 기대한 점수를 받았습니다.")


def questions_of(exercise: Path, grading: Path | None) -> questions.Exercise:
    """Probes for the exercise set that ``exercise`` names (a path, with or without suffix)."""
    folder = grading or ROOT / "grading" / exercise.name.removesuffix(".ipynb")
    if grading and not (folder / "probes.py").exists():
        folder = grading / exercise.name.removesuffix(".ipynb")
    try:
        return questions.load(folder)
    except questions.ExerciseError as error:
        raise fail(str(error)) from None


def table_of(results: list[Result]) -> Table:
    table = Table()
    table.add_column("제출물", overflow="fold")
    table.add_column("상태")
    table.add_column("점수", justify="right")
    names = next((r.questions for r in results if r.questions), [])
    for question in names:
        table.add_column(question.name, justify="right")
    table.add_column("까닭", overflow="fold")
    for result in results:
        cells = [_cell(q.points, q.possible, q.status) for q in result.questions]
        cells += ["–"] * (len(names) - len(cells))
        reason = result.reason or next((q.reason for q in result.questions if q.reason), "")
        if result.copied:
            reason = f"공개된 풀이와 같음: {', '.join(result.copied)}. {reason}"
        table.add_row(
            *map(_plain, (result.submission, _STATUS[result.status],
                          f"{result.points}/{result.possible}", *cells, reason[:100])),
        )  # fmt: skip
    return table


def _cell(points: int, possible: int, status: str) -> str:
    return f"{points}/{possible}" + ("" if status == "graded" else f" {_STATUS[status]}")


def _plain(text: str) -> str:
    """Brackets in file names and messages are no markup, and control characters no commands."""
    return "".join(c for c in text if c.isprintable()).replace("[", r"\[")


@app.command("doctor")
def examine() -> None:
    """이 컴퓨터에서 안전하게 채점할 수 있는지 실제로 해 봅니다."""
    findings = doctor.examine()
    marks = {"ok": ("좋음", "green"), "warning": ("주의", "yellow"), "error": ("고칠 것", "red")}
    for finding in findings:
        mark, style = marks[finding.level]
        console.print(f"[{style}]{mark}[/] {_plain(finding.text)}", soft_wrap=True)
        if finding.fix:
            console.print(finding.fix, markup=False, soft_wrap=True)
    if any(finding.level == "error" for finding in findings):
        raise typer.Exit(1)
