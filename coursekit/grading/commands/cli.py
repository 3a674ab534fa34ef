"""``grade run`` and ``grade doctor``: what an instructor types."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from coursekit.grading.audit import proof as audit
from coursekit.grading.commands import classroom, overview, private
from coursekit.grading.commands import verbs as commands
from coursekit.grading.commands.verbs import explained, fail, questions_of
from coursekit.grading.exchange import collect
from coursekit.grading.gradebook import book as gradebook
from coursekit.grading.gradebook.book import Gradebook
from coursekit.grading.records import roster
from coursekit.grading.records.result import Result
from coursekit.grading.sandbox import doctor
from coursekit.grading.sandbox.boxes import SandboxError
from coursekit.project import ROOT

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
    forget: Annotated[
        bool, typer.Option("--forget", help="폴더에서 사라진 제출을 성적부에서도 지우기")
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
    if words := private.warning(out) or private.warning(book):
        console.print(words, style="yellow", markup=False, soft_wrap=True)
    shown: list[Result] = []
    counts: Counter[str] = Counter()
    gone: list[str] = []
    with Gradebook(book) as grades:
        class_list = class_list or collect.roster_of(submissions)
        if class_list:
            grades.set_roster(roster.read(class_list))
        class_ = grades.roster()
        names = {student.id: student.name for student in class_.students} if class_ else {}
        order = {item.name: i for i, item in enumerate(found.items)}
        rows = grades.all(
            "select item, status, points from submissions where exercise = ?", asked.name
        )
        before = {row["item"]: (row["status"], row["points"]) for row in rows}
        anew = bool(again or question)
        try:
            people = overview.People(names, found.of)
            with overview.Meter(len(found), people) as meter:

                def on_done(result: Result, is_new: bool) -> None:
                    name = result.submission
                    fresh = is_new or (anew and name in order)  # anew, though nothing changed
                    if fresh:
                        meter.step(result)
                        was = before.get(name, (result.status, result.points))
                        counts["changed"] += was != (result.status, result.points)
                    else:
                        meter.skip()
                    counts["graded" if fresh else "kept"] += 1
                    if len(shown) < TABLE_ROWS or overview.needs_look(result):
                        shown.append(result)

                classroom.grade(
                    asked, found, grades, out=out, seed=seed, again=again, question=question,
                    whole=not student, forget=forget, on_gone=gone.extend,
                    scheduler=scheduler, workers=workers, unsafe=unsafe,
                    hidden=[submissions, out, *classroom.covered(book)], on_done=on_done,
                )  # fmt: skip
        except KeyboardInterrupt:
            raise fail("멈췄습니다. 같은 명령을 다시 실행하면 이어서 채점합니다.") from None
        except SandboxError as error:
            raise fail(f"{error}\n`grade doctor`가 고치는 법을 알려 줍니다. "
                       "안전하지 않아도 된다면 --unsafe를 붙이세요.") from None  # fmt: skip
        shown.sort(key=lambda result: order.get(result.submission, -1))
        if len(found) > TABLE_ROWS:
            shown = [result for result in shown if overview.needs_look(result)]
        if shown:
            console.print(overview.table_of(shown, people))
            if words := overview.legend(shown):
                console.print(words, soft_wrap=True, markup=False)
            for line in overview.notes_of(shown, people):
                console.print(overview.plain(line), soft_wrap=True, markup=False)
        Console(stderr=True, highlight=False).print(_counted(counts, anew))
        if gone:
            console.print(
                overview.markup(_vanished(gone, grades, forget)), style="yellow", soft_wrap=True
            )
    console.print(f"결과: {out}", soft_wrap=True, markup=False)
    console.print(
        f"성적부: {book} (다음: grade review, grade report)", soft_wrap=True, markup=False
    )


def _counted(counts: Counter[str], anew: bool) -> str:
    changed = f" (점수가 바뀐 것 {counts['changed']}개)" if anew or counts["changed"] else ""
    return f"채점 {counts['graded']}개{changed}, 바뀌지 않음 {counts['kept']}개"


def _vanished(items: list[str], grades: Gradebook, forgotten: bool) -> str:
    people = grades.roster()
    names = {student.id: str(student) for student in people.students} if people else {}
    shown = ", ".join(names.get(item, item) for item in items[:20])
    shown += f" 외 {len(items) - 20}명" if len(items) > 20 else ""
    if forgotten:
        return f"폴더에 없는 제출 {len(items)}개를 성적부에서 지웠습니다: {shown}"
    return (
        f"성적부에는 있고 폴더에는 없는 제출 {len(items)}개를 그대로 두었습니다: {shown}. "
        "거두어들인 제출이면 --forget을 붙여 지웁니다."
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


@app.command("doctor")
def examine() -> None:
    """이 컴퓨터에서 안전하게 채점할 수 있는지 실제로 해 봅니다."""
    findings = doctor.examine()
    marks = {"ok": ("좋음", "green"), "warning": ("주의", "yellow"), "error": ("고칠 것", "red")}
    for finding in findings:
        mark, style = marks[finding.level]
        console.print(f"[{style}]{mark}[/] {overview.markup(finding.text)}", soft_wrap=True)
        if finding.fix:
            console.print(finding.fix, markup=False, soft_wrap=True)
    if any(finding.level == "error" for finding in findings):
        raise typer.Exit(1)
