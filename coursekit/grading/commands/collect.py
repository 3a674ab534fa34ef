"""``grade collect``: what came in, one submission per student."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from coursekit.folding import fold
from coursekit.grading.commands.shared import (
    Exercise,
    Grading,
    console,
    explained,
    questions_of,
    say,
    warn_of,
)
from coursekit.grading.exchange import collect as collecting
from coursekit.grading.exchange import decisions
from coursekit.grading.exchange import release as releasing
from coursekit.grading.records import roster


@explained
def collect(
    exercise: Exercise,
    source: Annotated[Path, typer.Argument(help="LMS의 zip, 내려받은 폴더, 저장소가 든 폴더")],
    class_list: Annotated[Path, typer.Option("--roster", help="명단 CSV (학번, 이름 열)")],
    out: Annotated[Path, typer.Option(help="정리한 제출물을 쓸 폴더")],
    due: Annotated[str, typer.Option(help="마감 (예: '2026-12-10 23:59', 한국 시각)")] = "",
    released: Annotated[
        Path | None,
        typer.Option("--release", help="grade release가 쓴 폴더. 마감을 여기서 읽습니다"),
    ] = None,
    fresh: Annotated[
        bool, typer.Option("--fresh", help="앞서 걷은 것을 모두 지우고 새로 모으기")
    ] = False,
    grading: Grading = None,
) -> None:
    """받은 파일을 명단의 학생과 맞춥니다. 원본은 바꾸지 않고, 앞서 걷은 것에 더합니다.

    확실하지 않은 파일은 '확인할 파일.csv'에 적습니다. 학번 칸을 채우고 같은 명령을 다시 실행합니다.
    """
    asked = questions_of(exercise, grading)
    warn_of(out)
    students = roster.read(class_list)
    if released:
        of_release = releasing.read(released, asked.name).due
        due = due or of_release
    deadline = collecting.parse_due(due) if due else None
    bar = (TextColumn("읽습니다"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*bar, console=console, transient=True) as progress:
        task = progress.add_task("", total=None)
        found = collecting.collect(
            asked, source, students, out, due=deadline, fresh=fresh,
            on_file=lambda done, total, name: progress.update(task, completed=done, total=total),
        )  # fmt: skip
    for line in [*students.notes, *collecting.news(found, fresh)]:
        say(line)
    late = sum(entry.late is True for entry in found.submissions)
    untimed = sum(entry.late is None for entry in found.submissions) if found.due else 0
    say(f"명단 {len(students.students)}명: 제출 {len(found.submissions)}명 (늦음 {late}명), "
        f"확인할 파일 {len(found.doubtful)}개, 제출이 없는 학생 {len(found.missing)}명")  # fmt: skip
    if untimed:
        say(f"{untimed}명은 제출 시각을 알 수 없어 늦었는지 표시하지 않았습니다.")
    for entry in found.submissions:
        if entry.problem:
            say(f"  열지 못함  {entry.original}: {entry.problem}", "yellow")
        for name in entry.after_due:
            say(f"  마감 뒤에 다시 냄  {entry.name}({entry.student}): {name}. 채점하는 것은 "
                f"{entry.original}", "yellow")  # fmt: skip
    if found.missing:
        who = students.by_id()
        named = ", ".join(str(who[fold(number)]) for number in found.missing)
        say(f"  제출 없음  {named}")
    for row in found.doubtful:
        near = f" 후보: {row['candidates']}" if row["candidates"] else ""
        say(f"  확인  {row['file']}: {row['why']}{near}", "yellow")
    say(f"정리한 제출물: {out}")
    if found.doubtful:
        say(f"'{out / decisions.QUESTIONS}'의 학번 칸에 학번이나 '제외'를 적고 "
            "같은 명령을 다시 실행하세요. 그때까지 이 파일들은 채점하지 않습니다.")  # fmt: skip
