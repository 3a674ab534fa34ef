"""Where every student stands: the engine's points, a person's word over them, what is still open.

A submission that could not be graded has no points at all (None), never a plain 0.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from coursekit.grading.gradebook.book import Gradebook, Manual, Row, digest_of
from coursekit.grading.records import words
from coursekit.grading.records.result import ProbeResult, QuestionResult
from coursekit.grading.records.roster import Student


@dataclass(frozen=True)
class Question:
    """``points``: what counts now, None where that is open.  ``auto``: what the engine gave."""

    name: str
    title: str
    kind: str
    possible: int
    status: str
    points: float | None
    auto: int
    reason: str = ""
    comment: str = ""
    grader: str = ""
    probes: list[ProbeResult] = field(default_factory=list)
    answer: str = ""
    stale: bool = False

    @property
    def full(self) -> bool:
        return self.points is not None and self.points >= self.possible

    @property
    def label(self) -> str:
        return words.QUESTION.get(self.status, self.status)


@dataclass(frozen=True)
class Standing:
    """One student, or a submission of nobody in the roster (``student`` None)."""

    student: Student | None
    item: str
    status: str
    possible: int
    points: float | None
    auto: int | None
    questions: list[Question]
    reason: str = ""
    late: bool | None = None
    submitted: str | None = None
    notes: list[str] = field(default_factory=list)
    copied: list[str] = field(default_factory=list)
    to_check: list[str] = field(default_factory=list)

    @property
    def label(self) -> str:
        return words.SUBMISSION[self.status]

    @property
    def who(self) -> str:
        return str(self.student) if self.student else self.item


def of_class(book: Gradebook, exercise: dict) -> list[Standing]:
    """In the order of the roster; then submissions of nobody in it."""
    manuals = book.manuals(exercise["name"])
    roster = book.roster()
    known = {student.id: student for student in roster.students} if roster else {}
    found: dict[str, Standing] = {}
    strangers: list[Standing] = []
    for row in book.submissions(exercise["name"]):
        student = known.get(row.student or row.item)
        standing = _of(row, student, exercise, manuals)
        if student:
            found[student.id] = standing
        else:
            strangers.append(standing)
    people = [
        found.get(s.id) or Standing(s, s.id, "missing", exercise["possible"], None, None, [],
                                    "제출하지 않았습니다.")
        for s in known.values()
    ]  # fmt: skip
    return people + strangers


def _of(row: Row, student, exercise: dict, manuals: dict[tuple[str, str], Manual]) -> Standing:
    graded = {question.name: question for question in row.result.questions}
    questions = [
        _question(about, graded.get(about["name"]), row, manuals.get((row.item, about["name"])))
        for about in exercise["questions"]
    ]
    to_check = [
        f"{q.name}: {'제출물이 바뀜' if q.stale else q.label}"
        for q in questions
        if q.stale or (q.points is None and row.status == "graded")
        or (q.status in words.DOUBTFUL and not q.grader)
    ]  # fmt: skip
    to_check += row.result.look
    given = [q.points for q in questions if q.points is not None]
    if row.status != "graded":
        why = f": {row.result.reason}" if row.status == "unreadable" and row.result.reason else ""
        to_check.insert(0, words.SUBMISSION[row.status] + why)
    whole = row.status == "graded" and len(given) == len(questions)
    by_hand = row.status != "graded" and any(q.grader for q in questions)
    return Standing(
        student, row.item, row.status, exercise["possible"],
        _tidy(sum(given)) if whole or by_hand else None,
        row.result.points if row.status == "graded" else None, questions, row.result.reason,
        row.late, row.submitted, row.result.notes, row.result.copied, to_check,
    )  # fmt: skip


def _question(
    about: dict, graded: QuestionResult | None, row: Row, manual: Manual | None
) -> Question:
    status = graded.status if graded else "unreadable"
    answer = row.answers.get(about["name"], "")
    auto = graded.points if graded else 0
    points: float | None = auto
    if graded is None or status == "review":
        points = None
    stale = bool(manual and manual.answer != digest_of(answer))
    if manual and manual.points is not None:
        points = _tidy(manual.points)
    return Question(
        about["name"], about["title"], about["kind"], about["points"], status, points, auto,
        graded.reason if graded else "", manual.comment if manual else "",
        manual.grader if manual and manual.points is not None else "",
        list(graded.probes) if graded else [], answer, stale,
    )  # fmt: skip


def _tidy(points: float) -> float:
    return int(points) if float(points).is_integer() else round(float(points), 2)
