"""``grade report``: feedback, the class and the grades as files."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from coursekit.grading.commands.shared import (
    Book,
    ClassList,
    Which,
    console,
    explained,
    say,
    warn_of,
)
from coursekit.grading.gradebook.book import Gradebook
from coursekit.grading.records import roster


@explained
def report(
    book: Book,
    out: Annotated[Path | None, typer.Option(help="보고서를 쓸 폴더")] = None,
    which: Which = "",
    class_list: ClassList = None,
    book_url: Annotated[str, typer.Option(help="책을 올린 주소. 없으면 Colab으로 잇습니다")] = "",
) -> None:
    """학생마다 피드백, 반 전체 보고서, 성적 CSV를 만듭니다."""
    from coursekit.grading.course import chapters, published
    from coursekit.grading.report import pages

    with Gradebook(book, create=False) as grades:
        if class_list:
            grades.set_roster(roster.read(class_list))
        exercise = grades.exercise(which)
        out = out or book.resolve().with_name(f"{exercise['name']}-report")
        warn_of(out)
        name = exercise["name"]
        chapter, number = chapters.address(name, book_url), chapters.number(name)
        if number and not chapter:
            say("책을 올린 주소를 몰라 학생의 쪽에 장의 링크를 넣지 않습니다. --book-url로 책의 "
                "주소를 주거나 _config.yml의 repository.url을 고칩니다.", "yellow")  # fmt: skip
        bar = (TextColumn("쓰는 중"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
        with Progress(*bar, console=console, transient=True) as progress:
            task = progress.add_task("", total=None)
            standings = pages.write(
                grades, exercise, out, chapter=chapter, number=number,
                published=published.by_question(exercise),
                on_page=lambda done, total: progress.update(task, completed=done, total=total),
            )  # fmt: skip
        if grades.roster() is None:
            say("명단이 없어 제출물의 이름으로 적었습니다. --roster로 명단을 줍니다.", "yellow")
    settled = sum(one.points is not None for one in standings)
    say(f"점수가 정해진 학생 {settled}명, 정해지지 않은 학생 {len(standings) - settled}명")
    for one in standings:
        if one.status not in ("graded", "missing"):
            say(f"  {one.who}: {one.label}. {one.reason}", "yellow")
    if missing := [one.who for one in standings if one.status == "missing"]:
        say(f"  제출 없음 {len(missing)}명: {', '.join(missing)}")
    if waiting := sum(bool(one.to_check) for one in standings):
        say(f"확인할 제출 {waiting}개는 class.html에 있습니다. grade review에서 점수를 정합니다.")
    for what, name in (("반 전체", "class.html"), ("학생마다", "students"), ("성적", "grades.csv"),
                       ("학과에 낼 요약(이름 없음)", "department.html")):  # fmt: skip
        say(f"{what}: {out / name}")
