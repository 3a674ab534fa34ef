"""Grade a class into its gradebook: resumable, idempotent, only what changed."""

from __future__ import annotations

import contextlib
import fcntl
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from coursekit.findings import CourseError
from coursekit.grading.course import about
from coursekit.grading.engine import batch, remote
from coursekit.grading.exchange import collect
from coursekit.grading.gradebook.book import Gradebook
from coursekit.grading.probes.questions import Exercise
from coursekit.grading.records.result import Result


@dataclass
class Plan:
    """What there is to grade.  ``of``: what the gradebook keeps beside each item's result;
    ``refused``: results of submissions that could not be opened when they were collected.
    """

    items: list[batch.Item]
    of: dict[str, dict] = field(default_factory=dict)
    refused: list[Result] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.items) + len(self.refused)


def plan(exercise: Exercise, folder: Path) -> Plan:
    """From what ``grade collect`` wrote into ``folder``, else from the files there."""
    collected = collect.read(folder)
    if collected is None:
        return Plan(batch.find(folder))
    if collected.exercise != exercise.name:
        raise CourseError(
            f"{collected.exercise}의 제출물이 든 폴더입니다. {exercise.name}은 다른 폴더에 모읍니다.",
            folder,
        )
    found = Plan([])
    for entry in collected.submissions:
        # named after the student: a second submission takes the place of the first
        found.of[entry.student] = {
            "student": entry.student, "late": entry.late, "submitted": entry.time,
            "original": entry.original,
        }  # fmt: skip
        if entry.file:
            found.items.append(batch.Item(entry.student, folder / entry.file))
        else:
            found.refused.append(
                Result(
                    entry.student,
                    exercise.name,
                    "unreadable",
                    0,
                    exercise.points,
                    reason=entry.problem,
                    digest="refused",
                )  # fmt: skip
            )
    return found


def covered(book: Path) -> list[Path]:
    """The folder of the gradebook, to be hidden from sandboxes, unless python itself is below."""
    folder = book.resolve().parent
    needed = [Path(name).resolve() for name in ("/usr", sys.prefix, sys.base_prefix)]
    return [] if any(path.is_relative_to(folder) for path in needed) else [folder]


def narrow(found: Plan, students: Sequence[str]) -> Plan:
    """Only these students or files."""
    names = {item.name for item in found.items} | {result.submission for result in found.refused}
    if unknown := [name for name in students if name not in names]:
        raise CourseError(
            f"제출물이 없습니다: {', '.join(unknown)}. 학번이나 파일 이름을 확인하세요."
        )
    return Plan(
        [item for item in found.items if item.name in students], found.of,
        [result for result in found.refused if result.submission in students],
    )  # fmt: skip


@contextlib.contextmanager
def alone(book: Gradebook) -> Iterator[None]:
    """One run at a time on a gradebook; the kernel lets go if the run is killed."""
    with open(book.path.with_name(book.path.name + ".lock"), "w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise CourseError("다른 grade run이 이 성적부에 쓰고 있습니다. 끝난 뒤 실행합니다.",
                              book.path) from None  # fmt: skip
        yield


def grade(
    exercise: Exercise,
    found: Plan,
    book: Gradebook,
    *,
    out: Path | None = None,
    seed: str = "",
    again: bool = False,
    question: str = "",
    whole: bool = True,
    forget: bool = False,
    scheduler: str = "",
    on_done: Callable[[Result, bool], None] = lambda result, is_new: None,
    on_gone: Callable[[list[str]], None] = lambda items: None,
    **options: Any,
) -> None:
    """Grade ``found`` and write each result down as soon as it is there.

    ``whole``: ``found`` is all there is; ``on_gone`` gets what else the gradebook holds.  That is
    kept, since a folder may lack it by mistake; with ``forget`` it has been withdrawn.
    ``question``: grade only this one, anew, and keep the other results.  ``on_done`` gets each
    result and whether it is new.  ``options`` are those of `batch.run`.
    """
    seed = book.set_exercise(exercise, seed, about.describe(exercise))
    paths = {item.name: item.path for item in found.items}

    def known(name: str) -> Result | None:
        row = book.find(exercise.name, name)
        return row.result if row else None

    def record(result: Result) -> None:
        row = book.find(exercise.name, result.submission)
        extra = found.of.get(result.submission, {})
        is_new = row is None or row.result != result or not _same(row, extra)
        if is_new:
            path = paths.get(result.submission)
            # what can't be read is not tried once more
            readable = path is not None and result.status != "unreadable"
            written = about.answers(exercise, path) if readable else {}
            book.save(result, written, **extra)
        on_done(result, is_new)

    def record_one(result: Result) -> None:
        """The one question that was graded anew, in the result that is there."""
        whole = _merged(known(result.submission), result)
        if out is not None:
            batch.write_result(out, whole)
        record(whole)

    def run(asked: Exercise, items: list[batch.Item], on_done, **how) -> None:
        work = remote.run if scheduler else batch.run
        where = {"scheduler": scheduler} if scheduler else {}
        work(asked, items, seed=seed, known=known, on_done=on_done, keep=False,
             **how, **where, **options)  # fmt: skip

    with alone(book):
        if whole and not question:
            there = {*paths, *(result.submission for result in found.refused)}
            rows = book.all("select item from submissions where exercise = ?", exercise.name)
            if gone := sorted({row["item"] for row in rows} - there):
                on_gone(gone)
            if forget:
                book.forget(exercise.name, there)
        for result in found.refused:
            record(result)
        if not question:
            run(exercise, found.items, record, out=out, again=again)
            return
        one = _only(exercise, question)
        # a submission that was never graded, or not to the end, needs all its questions
        graded = [item for item in found.items if (old := known(item.name)) and old.questions]
        if rest := [item for item in found.items if item not in graded]:
            run(exercise, rest, record, out=out, again=again)
        run(one, graded, record_one, out=None, again=True)


def _only(exercise: Exercise, name: str) -> Exercise:
    chosen = [question for question in exercise.questions if question.name == name]
    if not chosen:
        names = ", ".join(question.name for question in exercise.questions)
        raise CourseError(f"'{name}'은 없는 문제입니다. 있는 문제: {names}")
    return replace(exercise, questions=chosen, texts=[])


def _merged(old: Result, new: Result) -> Result:
    """``old`` with the one question that was graded anew."""
    if new.status != "graded" or len(new.questions) != 1 or not old.questions:
        return old
    fresh = new.questions[0]
    questions = [fresh if q.name == fresh.name else q for q in old.questions]
    return replace(
        old, questions=questions, points=sum(q.points for q in questions),
        digest=old.digest, notes=new.notes,
    )  # fmt: skip


def _same(row, extra: dict) -> bool:
    return all(getattr(row, name) == value for name, value in extra.items())
