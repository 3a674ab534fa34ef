"""``grade run`` and ``grade doctor``: what an instructor types."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.table import Table

from coursekit.grading import audit, classroom, collect, commands, doctor, gradebook, roster
from coursekit.grading.bwrap import ROOT
from coursekit.grading.commands import explained, fail, questions_of
from coursekit.grading.gradebook import Gradebook
from coursekit.grading.result import Result
from coursekit.grading.sandbox import SandboxError

app = typer.Typer(
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    help="제출한 노트북을 채점합니다.",
)
console = Console(highlight=False)
app.command()(commands.release)
app.command()(commands.collect)
app.command()(commands.report)
app.command()(commands.review)
app.command()(commands.export_nbgrader)
app.command()(commands.import_nbgrader)
app.command()(commands.classroom_workflow)
TABLE_ROWS = 60  # a longer class sees only what needs a look

_STATUS = {
    "graded": "채점함", "partial": "일부만", "blank": "빈칸", "timeout": "시간 초과",
    "crashed": "멈춤", "review": "사람이 채점", "unreadable": "읽지 못함", "unmatched": "다른 노트북",
}  # fmt: skip
_SHORT = {"blank": "·", "timeout": "시간", "crashed": "멈춤", "review": "글"}


@app.command()
@explained
def run(
    exercise: Annotated[Path, typer.Argument(help="연습 (예: exercises/07-from-pytorch)")],
    submissions: Annotated[
        Path, typer.Option(help="grade collect가 정리한 폴더나 제출물이 든 폴더")
    ],
    grading: commands.Grading = None,
    out: Annotated[Path | None, typer.Option(help="결과를 쓸 폴더")] = None,
    book: Annotated[
        Path | None, typer.Option("--gradebook", help="성적부 파일 (없으면 제출 폴더 옆)")
    ] = None,
    class_list: Annotated[Path | None, typer.Option("--roster", help="명단 CSV")] = None,
    student: Annotated[
        list[str] | None, typer.Option(help="이 학번(파일)만 채점. 여러 번 줄 수 있음")
    ] = None,
    question: Annotated[str, typer.Option(help="이 문제만 다시 채점 (예: '문제 2')")] = "",
    again: Annotated[
        bool, typer.Option("--all", "--again", help="바뀌지 않은 것도 모두 다시 채점")
    ] = False,
    scheduler: Annotated[
        str, typer.Option(help="Dask 스케줄러의 주소 (예: tcp://10.0.0.1:8786)")
    ] = "",
    workers: Annotated[int, typer.Option(help="동시에 채점할 수. 0이면 코어 수")] = 0,
    seed: Annotated[str, typer.Option(help="입력을 뽑는 씨앗. 같은 채점을 되풀이할 때")] = "",
    unsafe: Annotated[
        bool, typer.Option("--unsafe", help="샌드박스 없이 실행. 믿는 코드에만")
    ] = False,
) -> None:
    """제출물을 채점해 성적부에 적고 표를 보여 줍니다. 바뀐 것만 다시 채점합니다."""
    asked = questions_of(exercise, grading)
    if not submissions.is_dir():
        raise fail(f"{submissions}: 폴더가 없습니다. 제출물이 든 폴더를 알려 주세요.")
    found = classroom.plan(asked, submissions)
    if student:
        found = classroom.narrow(found, student)
    if not found:
        raise fail(f"{submissions}: 제출물이 없습니다.")
    if unsafe:
        console.print("샌드박스 없이 채점합니다. 제출한 코드가 이 컴퓨터의 파일과 네트워크를 씁니다.",
                      style="yellow")  # fmt: skip
    place = submissions.resolve()
    out = out or place.with_name(f"{place.name}-results")
    book = book or place.with_name(f"{place.name}-{gradebook.NAME}")
    bar = (TextColumn("채점"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(),
           TextColumn("남은 시간"), TimeRemainingColumn(elapsed_when_finished=True),
           TextColumn("{task.description}"))  # fmt: skip
    shown: list[Result] = []
    counts: Counter[str] = Counter()
    with Gradebook(book) as grades:
        class_list = class_list or collect.roster_of(submissions)
        if class_list:
            grades.set_roster(roster.read(class_list))
        try:
            with Progress(*bar, console=console, transient=True) as progress:
                task = progress.add_task("준비합니다", total=len(found))

                def on_done(result: Result, is_new: bool) -> None:
                    progress.update(task, advance=1, description=_plain(result.submission[:40]))
                    counts["new" if is_new else "old"] += 1
                    if len(shown) < TABLE_ROWS or result.status != "graded":
                        shown.append(result)

                classroom.grade(
                    asked, found, grades, out=out, seed=seed, again=again, question=question,
                    whole=not student, scheduler=scheduler, workers=workers, unsafe=unsafe,
                    hidden=[submissions, out, *classroom.covered(book)], on_done=on_done,
                )  # fmt: skip
        except KeyboardInterrupt:
            raise fail("멈췄습니다. 같은 명령을 다시 실행하면 이어서 채점합니다.") from None
        except SandboxError as error:
            raise fail(f"{error}\n`grade doctor`가 고치는 법을 알려 줍니다. "
                       "안전하지 않아도 된다면 --unsafe를 붙이세요.") from None  # fmt: skip
        order = {item.name: i for i, item in enumerate(found.items)}
        shown.sort(key=lambda result: order.get(result.submission, -1))
        if len(found) > TABLE_ROWS:
            shown = [result for result in shown if result.status != "graded"]
        if shown:
            console.print(table_of(shown))
            for line in troubles_of(shown):
                console.print(_plain(line), soft_wrap=True)
        news = f"채점 {counts['new']}개, 바뀌지 않음 {counts['old']}개"
        Console(stderr=True, highlight=False).print(news)
    console.print(f"결과: {out}", soft_wrap=True, markup=False)
    console.print(
        f"성적부: {book} (다음: grade review, grade report)", soft_wrap=True, markup=False
    )


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


def table_of(results: list[Result]) -> Table:
    """A row per submission.  Many questions get narrow columns, and reasons their own lines."""
    names = next((r.questions for r in results if r.questions), [])
    wide = len(names) > 4
    table = Table()
    table.add_column("제출물", overflow="fold")
    table.add_column("상태", no_wrap=True)
    table.add_column("점수", justify="right", no_wrap=True)
    for question in names:
        title = question.name.removeprefix("문제 ") if wide else question.name
        table.add_column(title, justify="right")
    if not wide:
        table.add_column("까닭", overflow="fold")
    for result in results:
        cells = [_cell(q.points, q.possible, q.status, wide) for q in result.questions]
        cells += ["–"] * (len(names) - len(cells))
        cells += [] if wide else [_reason(result)[:100]]
        points = f"{result.points}/{result.possible}" if result.status == "graded" else "–"
        table.add_row(*map(_plain, (result.submission, _STATUS[result.status], points, *cells)))
    return table


def troubles_of(results: list[Result]) -> list[str]:
    """One line for each submission that needs a look."""
    odd = ("timeout", "crashed", "partial")
    return [
        f"{result.submission}: {_reason(result)[:200]}"
        for result in results
        if result.status != "graded"
        or result.copied
        or any(q.status in odd for q in result.questions)
    ]


def _reason(result: Result) -> str:
    reason = result.reason or next((q.reason for q in result.questions if q.reason), "")
    if result.copied:
        reason = f"공개된 풀이와 같음: {', '.join(result.copied)}. {reason}"
    return reason


def _cell(points: int, possible: int, status: str, wide: bool) -> str:
    score = f"{points}" if wide else f"{points}/{possible}"
    if status == "graded":
        return score
    return _SHORT.get(status, score) if wide else f"{score} {_STATUS[status]}"


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
