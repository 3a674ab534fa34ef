"""Which of all the files that came counts for each student; what a person must decide."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import datetime, timezone
from pathlib import Path

from coursekit.grading.exchange import matching
from coursekit.grading.exchange.decisions import LEAVE_OUT
from coursekit.grading.exchange.received import Received
from coursekit.grading.handed_in import submission
from coursekit.grading.handed_in.notebook import Unreadable, read_cells
from coursekit.grading.records.roster import Student

MAX_SHOWN = 10  # students offered for a file of nobody


@dataclass(frozen=True)
class Attempt:
    """One notebook of a student.  ``quality``: 2 has answers, 1 is a notebook, 0 can't be read.

    ``decided``: how many batches there were when a person chose this file, 0 if nobody did.
    ``few``: see `origin.Origin`.
    """

    file: Received
    copy: Path | None
    modified: datetime | None
    quality: int
    problem: str = ""
    decided: int = 0
    few: bool = False

    @property
    def name(self) -> str:
        return self.file.label

    @property
    def digest(self) -> str:
        return self.file.digest


@dataclass
class Entry:
    """A student's submission.  ``file`` is relative to the folder, "" if there is none to grade.

    ``late`` is None where the time or the deadline is not known.  ``after_due``: other versions
    that came when this one, which counts, was in time.
    """

    student: str
    name: str
    file: str
    original: str
    time: str | None
    late: bool | None
    problem: str = ""
    others: list[str] = field(default_factory=list)
    after_due: list[str] = field(default_factory=list)


@dataclass
class Collection:
    """``sources``: names of what was collected, by the number of the batch from 1; ``decided``:
    label → (student, batches that there were when a person said so).  ``new`` files came the last
    time; ``removed``: who had handed in something and has not any more, since it was begun anew.
    """

    exercise: str
    source: str
    due: str | None
    submissions: list[Entry]
    doubtful: list[dict[str, str]]
    missing: list[str]
    ignored: list[dict[str, str]]
    sources: list[str] = field(default_factory=list)
    received: list[Received] = field(default_factory=list)
    decided: dict[str, list] = field(default_factory=dict)
    new: int = 0
    removed: list[str] = field(default_factory=list)


class Work:
    """Sorts the files of a folder by student, then chooses what counts; asks where that is open."""

    def __init__(self, exercise, roster, decided, since, staging: Path) -> None:
        self.exercise, self.roster, self.decided = exercise, roster, decided
        self.since: dict[str, list] = since
        self.matcher = matching.Matcher(roster)
        self.staging = staging
        self.attempts: dict[Student, list[Attempt]] = {}
        self.doubtful: dict[str, dict[str, str]] = {}
        self.strangers: dict[str, tuple[Student, ...]] = {}  # files of nobody → who may be meant
        self.ignored: list[dict[str, str]] = []
        self.extras: dict[Student, list[Received]] = {}  # files of a student that are no notebooks
        self.functions = [question.function for question in exercise.questions]
        self.headings = [text.heading for text in exercise.texts]

    def sort(self, files: list[Received], on_file: Callable[[int, str], None]) -> None:
        batches: dict[int, list[str]] = {}
        for file in files:
            batches.setdefault(file.batch, []).append(file.name)
        short = {number: matching.without_common(names) for number, names in batches.items()}
        for number, file in enumerate(files):
            on_file(number, file.label)
            decision = self.decided.get(file.label)
            if decision == LEAVE_OUT:
                self._ignore(file, "제외하기로 함")
                continue
            attempt, text = self._open(file)
            if isinstance(decision, Student):
                self._add(decision, file, attempt)
                continue
            match = self.matcher.match(short[file.batch][file.name], lambda text=text: text)
            if match.student:
                self._add(match.student, file, attempt)
            elif attempt is None or (file.is_script and attempt.quality < 2):
                self._ignore(file, file.problem or "노트북이 아닙니다")
            else:
                self._ask(file.label, match.why, match.candidates)
                if match.why == matching.UNKNOWN:
                    self.strangers[file.label] = match.candidates

    def _open(self, file: Received) -> tuple[Attempt | None, str]:
        """See what is in a notebook; None for another kind of file."""
        if not file.is_notebook:
            return None, ""
        decided = self.since.get(file.label, ["", 0])[1]
        if not file.copy:
            return Attempt(file, None, file.modified, 0, file.problem, decided), ""
        place = self.staging / file.copy
        try:
            answers = submission.read(place, self.functions, self.headings, self.exercise.name)
            text = "\n".join(cell.source for cell in read_cells(place)[:6])
        except Unreadable as error:
            return Attempt(file, place, file.modified, 0, str(error), decided), ""
        named = any(answers.defining(name) for name in self.functions)
        fits = answers.texts or (named and not answers.origin.other)
        few = answers.origin.few and not answers.texts
        return Attempt(file, place, file.modified, 2 if fits else 1, "", decided, few), text

    def _add(self, student: Student, file: Received, attempt: Attempt | None) -> None:
        if attempt is None:
            self.extras.setdefault(student, []).append(file)
            self._ignore(file, "노트북이 아닙니다")
        elif file.is_script and attempt.quality < 2:
            self._ignore(file, "이 연습의 답이 아닙니다")
        else:
            self.attempts.setdefault(student, []).append(attempt)

    def _ignore(self, file: Received, why: str) -> None:
        self.ignored.append({"file": file.label, "why": why})

    def _ask(self, name: str, why: str, candidates=(), more: int = 0) -> None:
        shown = " / ".join(f"{student.id} {student.name}".strip() for student in candidates)
        shown += f" 외 {more}명" if more else ""
        self.doubtful[name] = {"file": name, "why": why, "candidates": shown}

    def choose(self, due: datetime | None, zone: timezone) -> Collection:
        entries, missing = [], []
        for student in self.roster.students:
            if attempts := self.attempts.get(student, []):
                if chosen := self._one(student, attempts, due):
                    entries.append(self._entry(student, chosen, attempts, due, zone))
            elif said := [f for f in self.extras.get(student, []) if f.label in self.since]:
                entries.append(self._no_notebook(student, said, due, zone))
            else:
                if others := self.extras.get(student):
                    self._ask(others[0].label, "노트북이 아닌 파일만 냈습니다", (student,))
                missing.append(student)
        for name, near in self.strangers.items():
            # a file of nobody is most likely of one who seems to have handed in nothing
            people = list(dict.fromkeys([*near, *missing]))
            more = max(0, len(people) - MAX_SHOWN)
            self._ask(name, matching.UNKNOWN, people[:MAX_SHOWN], more)
        return Collection(
            self.exercise.name, "", due.isoformat() if due else None, entries,
            sorted(self.doubtful.values(), key=lambda row: row["file"]),
            [student.id for student in missing], self.ignored,
        )  # fmt: skip

    def _one(self, student: Student, attempts: list[Attempt], due) -> Attempt | None:
        """The attempt that counts, or None after asking."""
        attempts = _without_replaced(attempts)
        if latest := max(attempt.decided for attempt in attempts):
            # what came after the decision is up against the file that was chosen
            attempts = [a for a in attempts if a.decided == latest or a.file.batch > latest]
        if any(attempt.quality == 2 and not attempt.few for attempt in attempts):
            # beside one that is surely of this exercise, a shared name or two say nothing
            attempts = [replace(a, quality=min(a.quality, 1)) if a.few else a for a in attempts]
        best = max(attempt.quality for attempt in attempts)
        # a notebook of another exercise is no attempt at this one; one that can't be read may be
        fitting = [a for a in attempts if a.quality == best or (a.quality == 0 and best == 2)]
        in_time = [a for a in fitting if due and a.modified and a.modified <= due]
        pool = in_time or fitting
        known = [a for a in pool if a.modified]
        if len({a.digest or a.name for a in pool}) > 1 and len(known) < len(pool):
            return self._which(student, pool, "제출 시각을 모르는 파일이 여럿입니다")
        last = max(known, key=lambda a: (a.modified, _copy_number(a.file.name)), default=pool[0])
        rivals = [a for a in known if a.modified == last.modified and a.digest != last.digest
                  and _copy_number(a.file.name) == _copy_number(last.file.name)]  # fmt: skip
        if rivals:
            return self._which(student, [last, *rivals], "같은 시각의 다른 파일입니다")
        if last.quality == 0 and any(a.quality for a in pool):
            return self._which(student, pool, "마지막 파일을 읽을 수 없고 앞의 것이 있습니다")
        return last

    def _which(self, student: Student, attempts: list[Attempt], why: str) -> None:
        for attempt in attempts:
            self._ask(
                attempt.name, f"{why}. 쓸 것 하나에 학번을, 나머지에 '{LEAVE_OUT}'를 적습니다",
                (student,),
            )  # fmt: skip

    def _entry(self, student: Student, chosen: Attempt, attempts, due, zone) -> Entry:
        file = ""
        if chosen.copy:
            # named by us: what came from outside is never a path
            file = f"{_safe(student.id)}/{self.exercise.name}{chosen.copy.suffix}"
            (self.staging / file).parent.mkdir(exist_ok=True)
            shutil.copy(chosen.copy, self.staging / file)
        time, late = _times(chosen.file, student, due, zone)
        rest = [a for a in attempts if a is not chosen and a.name != chosen.name]
        least = max(1, chosen.quality)
        after = [a for a in rest if late is False and a.modified and a.modified > due
                 and a.quality >= least and a.digest != chosen.digest]  # fmt: skip
        return Entry(student.id, student.name, file, chosen.name, time, late,
                     "" if chosen.copy else chosen.problem, _names(rest), _names(after))  # fmt: skip

    def _no_notebook(self, student: Student, files: list[Received], due, zone) -> Entry:
        """Of a student who handed in something, but nothing that can be graded."""
        last = max(files, key=lambda file: file.time or "")
        kind = Path(last.name).suffix.lstrip(".").upper()
        what = f"노트북이 아닌 파일({kind})만" if kind.isalnum() else "노트북이 아닌 파일만"
        time, late = _times(last, student, due, zone)
        return Entry(student.id, student.name, "", last.label, time, late, f"{what} 냈습니다")


def _times(
    file: Received, student: Student, due: datetime | None, zone: timezone
) -> tuple[str | None, bool | None]:
    """(when it came, whether that was late).  Where the file does not tell, the roster may."""
    modified = file.modified or student.submitted
    if modified is None:
        return None, file.late
    return modified.astimezone(zone).isoformat(), modified > due if due else None


def _names(attempts: list[Attempt]) -> list[str]:
    return list(dict.fromkeys(attempt.name for attempt in attempts))


def _without_replaced(attempts: list[Attempt]) -> list[Attempt]:
    """Of files that tell no time (clones), the one that was collected last stands for its path."""
    untimed = [a for a in attempts if not a.modified]
    last = {a.file.name: a.file.batch for a in sorted(untimed, key=lambda a: a.file.batch)}
    return [a for a in attempts if a.modified or a.file.batch == last[a.file.name]]


def _safe(text: str) -> str:
    return re.sub(r"[^\w.-]", "_", text)


def _copy_number(name: str) -> int:
    """3 in "과제 (3).ipynb": the browser counts what it has downloaded already."""
    found = re.findall(r"\((\d{1,3})\)", name.rsplit("/", 1)[-1])
    return int(found[-1]) if found else 0
