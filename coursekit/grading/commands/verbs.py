"""``grade collect``, ``report``, ``review`` and ``release``: the loop around ``grade run``."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from coursekit.findings import CourseError
from coursekit.grading.commands import private
from coursekit.grading.exchange import collect as collecting
from coursekit.grading.exchange import decisions
from coursekit.grading.exchange import release as releasing
from coursekit.grading.gradebook.book import Gradebook
from coursekit.grading.probes import questions
from coursekit.grading.records import roster
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
        except (CourseError, questions.ExerciseError) as error:
            raise fail(str(error)) from None

    return run


def questions_of(exercise: Path, grading: Path | None) -> questions.Exercise:
    """Probes for the exercise set that ``exercise`` names (a path, with or without suffix)."""
    folder = grading or ROOT / "grading" / exercise.name.removesuffix(".ipynb")
    if grading and not (folder / "probes.py").exists():
        folder = grading / exercise.name.removesuffix(".ipynb")
    try:
        return questions.load(folder)
    except questions.ExerciseError as error:
        raise fail(str(error)) from None


Exercise = Annotated[Path, typer.Argument(help="연습 (예: exercises/02-jit-and-xla)")]
Grading = Annotated[
    Path | None, typer.Option(help="강사만 아는 검사가 든 폴더 (없으면 공개된 검사)")
]


@explained
def release(
    exercise: Exercise,
    out: Annotated[Path, typer.Option(help="묶음을 쓸 폴더")],
    due: Annotated[str, typer.Option(help="마감 (예: '2026-12-10 23:59', 한국 시각)")],
    notebook: Annotated[
        Path | None, typer.Option(help="나누어 줄 빈칸 노트북 (없으면 exercises/의 것)")
    ] = None,
    class_list: Annotated[
        Path | None, typer.Option("--roster", help="명단 CSV. 학번과 이름을 적은 노트북을 학생마다")
    ] = None,
    grading: Grading = None,
) -> None:
    """나누어 줄 과제를 묶습니다. 풀이와 검사는 들어가지 않습니다."""
    asked = questions_of(exercise, grading)
    students = roster.read(class_list) if class_list else None
    if students:
        warn_of(out)
    written = releasing.release(
        asked, out, due=collecting.parse_due(due), notebook=notebook, roster=students
    )
    for path in written[:4]:
        say(str(path))
    if students:
        say(f"{out / '학생별'}: {len(written) - 4}개")
    say(f"'{releasing.NOTICE}'를 LMS에 붙이고 zip이나 노트북을 나누어 줍니다. "
        f"걷을 때는 grade collect에 --release {out}를 줍니다.")  # fmt: skip


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
        named = ", ".join(str(who[roster.fold(number)]) for number in found.missing)
        say(f"  제출 없음  {named}")
    for row in found.doubtful:
        near = f" 후보: {row['candidates']}" if row["candidates"] else ""
        say(f"  확인  {row['file']}: {row['why']}{near}", "yellow")
    say(f"정리한 제출물: {out}")
    if found.doubtful:
        say(f"'{out / decisions.QUESTIONS}'의 학번 칸에 학번이나 '제외'를 적고 "
            "같은 명령을 다시 실행하세요. 그때까지 이 파일들은 채점하지 않습니다.")  # fmt: skip


Book = Annotated[Path, typer.Argument(help="성적부 (grade run이 알려 준 gradebook.db)")]
Which = Annotated[str, typer.Option("--exercise", help="연습의 이름. 하나뿐이면 쓰지 않습니다")]
ClassList = Annotated[Path | None, typer.Option("--roster", help="명단 CSV")]


@explained
def report(
    book: Book,
    out: Annotated[Path | None, typer.Option(help="보고서를 쓸 폴더")] = None,
    which: Which = "",
    class_list: ClassList = None,
    book_url: Annotated[str, typer.Option(help="책을 올린 주소. 없으면 Colab으로 잇습니다")] = "",
) -> None:
    """학생마다 피드백, 반 전체 보고서, 성적 CSV를 만듭니다."""
    from coursekit.grading.course import chapters
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
                published=chapters.published(exercise),
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


@explained
def review(
    book: Book,
    grader: Annotated[
        list[str] | None, typer.Option(help="채점자의 이름. 여러 번 주면 링크도 그만큼")
    ] = None,
    port: Annotated[int, typer.Option(min=0, max=65535, help="포트. 0이면 빈 포트")] = 0,
) -> None:
    """답을 읽고 점수를 정하는 쪽을 이 컴퓨터에서 엽니다. Ctrl-C로 끝냅니다."""
    import asyncio

    from coursekit.grading.review.server import Server

    async def serve(grades: Gradebook) -> None:
        try:
            server = Server(grades, grader or ["채점자"], port)
        except OSError as error:
            raise CourseError(f"{port}번 포트를 열지 못했습니다. ({error.strerror})") from None
        say("링크마다 브라우저 하나에서 한 번만 열립니다. Ctrl-C로 끝냅니다.")
        for name, link in server.links.items():
            say(f"{name}: {link}")
        await asyncio.Event().wait()

    with Gradebook(book, create=False) as grades:
        grades.exercise(grades.exercises()[0]["name"] if grades.exercises() else "")
        try:
            asyncio.run(serve(grades))
        except KeyboardInterrupt:
            say("끝냈습니다. 저장한 점수는 성적부에 있습니다.")


@explained
def export_nbgrader(
    exercise: Exercise,
    out: Annotated[Path, typer.Option(help="nbgrader 과목 폴더")],
    grading: Grading = None,
) -> None:
    """연습을 nbgrader의 source 노트북으로 내보냅니다. 숨은 검사는 들어가지 않습니다."""
    from coursekit.grading.interchange import to_nbgrader
    from coursekit.grading.records import tables

    asked = questions_of(exercise, grading)
    path = out / "source" / asked.name / f"{asked.name}.ipynb"
    tables.write_whole(path, to_nbgrader.export(asked))
    say(f"{path}\n눈에 보이는 확인 셀만 시험이 됩니다. 여기의 검사는 옮겨지지 않습니다.")


@explained
def import_nbgrader(
    notebook: Annotated[Path, typer.Argument(help="nbgrader의 source 노트북")],
    name: Annotated[str, typer.Option(help="새 연습의 이름 (예: 08-mine)")],
    out: Annotated[Path, typer.Option(help="쓸 폴더. 안에 source와 grading이 생깁니다")],
) -> None:
    """nbgrader의 source 노트북에서 원고와 채점 폴더를 만듭니다."""
    from coursekit.grading.interchange import from_nbgrader
    from coursekit.grading.records import tables

    if not re.fullmatch(r"\d\d-[a-z0-9-]+", name):
        raise CourseError(f"연습의 이름은 08-mine처럼 씁니다: {name}")
    found = from_nbgrader.convert(notebook, name)
    if there := [place for place in found.files if (out / place).exists()]:
        raise CourseError("이미 있습니다. 다른 --name이나 --out을 줍니다.", out / there[0])
    for place, text in found.files.items():
        tables.write_whole(out / place, text.encode())
        say(str(out / place))
    for line in found.to_do:
        say(f"할 일  {line}", "yellow")


@explained
def classroom_workflow(
    out: Annotated[Path, typer.Option(help="학생에게 줄 저장소의 폴더")],
) -> None:
    """GitHub Classroom에서 학생이 스스로 확인하는 워크플로를 씁니다."""
    from coursekit.grading.records import tables

    source = Path(__file__).parents[1] / "interchange" / "self-check.yml"
    path = out / ".github" / "workflows" / "self-check.yml"
    tables.write_whole(path, source.read_bytes())
    say(f"{path}\n학생이 올릴 때마다 확인 셀의 판정이 Actions 요약에 나옵니다. 점수가 아닙니다.")
