"""``grade run``: a class graded into its gradebook, and what of it needs a look."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from coursekit.grading.commands import classroom, overview, private
from coursekit.grading.commands.shared import (
    Grading,
    console,
    explained,
    fail,
    questions_of,
    say,
)
from coursekit.grading.exchange import collect
from coursekit.grading.gradebook import book as gradebook
from coursekit.grading.gradebook.book import Gradebook
from coursekit.grading.records import roster
from coursekit.grading.records.result import Result

TABLE_ROWS = 60  # a longer class sees only what needs a look


@explained
def run(
    exercise: Annotated[Path, typer.Argument(help="연습 (예: exercises/07-from-pytorch)")],
    submissions: Annotated[
        Path, typer.Option(help="grade collect가 정리한 폴더나 제출물이 든 폴더")
    ],
    grading: Grading = None,
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
    seed: Annotated[str, typer.Option(help="입력을 뽑는 씨앗. 같은 채점을 반복할 때")] = "",
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
    place = submissions.resolve()
    out = out or place.with_name(f"{place.name}-results")
    book = book or place.with_name(f"{place.name}-{gradebook.NAME}")
    _warn(unsafe, out, book)
    with Gradebook(book) as grades:
        if class_list := class_list or collect.roster_of(submissions):
            grades.set_roster(roster.read(class_list))
        tally = Tally(asked.name, found, grades, anew=bool(again or question))
        try:
            with overview.Meter(len(found), tally.people) as meter:
                classroom.grade(
                    asked, found, grades, out=out, seed=seed, again=again, question=question,
                    whole=not student, forget=forget, on_gone=tally.gone.extend,
                    scheduler=scheduler, workers=workers, unsafe=unsafe,
                    hidden=[submissions, out, *classroom.covered(book)],
                    on_done=lambda result, is_new: tally.take(result, is_new, meter),
                )  # fmt: skip
        except KeyboardInterrupt:
            raise fail("멈췄습니다. 같은 명령을 다시 실행하면 이어서 채점합니다.") from None
        tally.show(forget)
    say(f"결과: {out}")
    say(f"성적부: {book} (다음: grade review, grade report)")


def _warn(unsafe: bool, out: Path, book: Path) -> None:
    if unsafe:
        say(
            "샌드박스 없이 채점합니다. 제출한 코드가 이 컴퓨터의 파일과 네트워크를 씁니다.",
            "yellow",
        )
    if words := private.warning(out) or private.warning(book):
        say(words, "yellow")


@dataclass
class Tally:
    """What a run has done so far, for what it shows at the end.

    ``anew``: what has not changed is graded again too.  ``shown``: results for the table;
    ``gone``: submissions that only the gradebook has.
    """

    exercise: str
    found: classroom.Plan
    grades: Gradebook
    anew: bool
    shown: list[Result] = field(default_factory=list)
    gone: list[str] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        class_ = self.grades.roster()
        names = {student.id: student.name for student in class_.students} if class_ else {}
        self.people = overview.People(names, self.found.of)
        self.order = {item.name: i for i, item in enumerate(self.found.items)}
        rows = self.grades.all(
            "select item, status, points from submissions where exercise = ?", self.exercise
        )
        self.before = {row["item"]: (row["status"], row["points"]) for row in rows}

    def take(self, result: Result, is_new: bool, meter: overview.Meter) -> None:
        """One result; not ``is_new`` if an earlier run had it already."""
        name = result.submission
        if is_new or (self.anew and name in self.order):
            meter.step(result)
            was = self.before.get(name, (result.status, result.points))
            self.counts["changed"] += was != (result.status, result.points)
            self.counts["graded"] += 1
        else:
            meter.skip()
            self.counts["kept"] += 1
        if len(self.shown) < TABLE_ROWS or overview.needs_look(result):
            self.shown.append(result)

    def show(self, forgotten: bool) -> None:
        """The table, what needs a look, and what is in the gradebook alone."""
        shown = sorted(self.shown, key=lambda result: self.order.get(result.submission, -1))
        if len(self.found) > TABLE_ROWS:
            shown = [result for result in shown if overview.needs_look(result)]
        if shown:
            console.print(overview.table_of(shown, self.people))
            if words := overview.legend(shown):
                say(words)
            for line in overview.notes_of(shown, self.people):
                say(overview.plain(line))
        errors = Console(stderr=True, highlight=False)
        errors.print(self._counted())
        if self.gone:
            say(overview.plain(self._gone(forgotten)), "yellow")

    def _counted(self) -> str:
        changed = self.counts["changed"]
        told = f" (점수가 바뀐 것 {changed}개)" if self.anew or changed else ""
        return f"채점 {self.counts['graded']}개{told}, 바뀌지 않음 {self.counts['kept']}개"

    def _gone(self, forgotten: bool) -> str:
        people = self.grades.roster()
        names = {student.id: str(student) for student in people.students} if people else {}
        shown = ", ".join(names.get(item, item) for item in self.gone[:20])
        shown += f" 외 {len(self.gone) - 20}명" if len(self.gone) > 20 else ""
        if forgotten:
            return f"폴더에 없는 제출 {len(self.gone)}개를 성적부에서 지웠습니다: {shown}"
        return (
            f"성적부에는 있고 폴더에는 없는 제출 {len(self.gone)}개를 그대로 두었습니다: {shown}. "
            "거두어들인 제출이면 --forget을 붙여 지웁니다."
        )
