"""What came in → one notebook per student, and a list of all that a person must decide.

``out/학번/…ipynb`` are copies; ``collection.json`` says where each came from and what else there
was; ``확인할 파일.csv`` holds the questions, and is read again the next time.
"""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import tempfile
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from datetime import datetime, timedelta, timezone
from pathlib import Path

from coursekit.findings import CourseError
from coursekit.grading import decisions, incoming, matching, submission, tables
from coursekit.grading.decisions import LEAVE_OUT, QUESTIONS
from coursekit.grading.incoming import Incoming
from coursekit.grading.notebook import Unreadable, read_cells
from coursekit.grading.questions import Exercise
from coursekit.grading.roster import Roster, Student

MANIFEST, ROSTER = "collection.json", "명단.csv"
SEOUL = timezone(timedelta(hours=9))
MAX_COPIED = 8 << 30


@dataclass(frozen=True)
class Attempt:
    """One notebook of a student.  ``quality``: 2 has answers, 1 is a notebook, 0 can't be read."""

    name: str
    copy: Path | None
    modified: datetime | None
    quality: int
    problem: str = ""
    digest: str = ""
    decided: bool = False


@dataclass
class Entry:
    """A student's submission.  ``file`` is relative to the folder, "" if there is none to grade.

    ``late`` is None where the time or the deadline is not known.
    """

    student: str
    name: str
    file: str
    original: str
    time: str | None
    late: bool | None
    problem: str = ""
    others: list[str] = field(default_factory=list)


@dataclass
class Collection:
    exercise: str
    source: str
    due: str | None
    submissions: list[Entry]
    doubtful: list[dict[str, str]]
    missing: list[str]
    ignored: list[dict[str, str]]


def collect(
    exercise: Exercise,
    source: Path,
    roster: Roster,
    out: Path,
    *,
    due: datetime | None = None,
    zone: timezone = SEOUL,
    on_file: Callable[[int, int, str], None] = lambda done, total, name: None,
) -> Collection:
    """Fill ``out`` from ``source``; raises `CourseError` and then leaves ``out`` as it was."""
    _check_places(source, out)
    decided = decisions.read(out / QUESTIONS, roster)
    found = incoming.find(source, zone)
    out.parent.mkdir(parents=True, exist_ok=True)
    staging = Path(tempfile.mkdtemp(dir=out.parent, prefix=f".{out.name}-"))
    try:
        work = _Work(exercise, roster, decided, staging)
        work.sort(found, on_file)
        result = work.choose(due, zone)
        result.source = source.name
        _write(staging, result, decided, roster)
        _swap(staging, out)
    finally:
        shutil.rmtree(staging, ignore_errors=True)
    return result


def read(folder: Path) -> Collection | None:
    """What `collect` wrote into ``folder``, or None if it did not."""
    path = folder / MANIFEST
    if not path.is_file():
        return None
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        return Collection(**{**data, "submissions": [Entry(**e) for e in data["submissions"]]})
    except (OSError, ValueError, TypeError, KeyError) as error:
        raise CourseError(
            f"읽지 못했습니다. grade collect를 다시 실행하세요. ({type(error).__name__})", path
        ) from None


def roster_of(folder: Path) -> Path | None:
    """The roster that `collect` has put beside the submissions."""
    path = folder / ROSTER
    return path if (folder / MANIFEST).is_file() and path.is_file() else None


def parse_due(text: str, zone: timezone = SEOUL) -> datetime:
    """``2026-12-10 23:59`` (that minute included) or ``2026-12-10`` (to the end of the day)."""
    text = text.strip()
    for form, rest in (("%Y-%m-%d %H:%M", 59), ("%Y-%m-%d", 86399)):
        try:
            return datetime.strptime(text, form).replace(tzinfo=zone) + timedelta(seconds=rest)
        except ValueError:
            continue
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise CourseError(f"마감을 읽지 못했습니다: {text}. 2026-12-10 23:59처럼 씁니다.") from None
    return moment if moment.tzinfo else moment.replace(tzinfo=zone)


class _Work:
    def __init__(self, exercise, roster, decided, staging: Path) -> None:
        self.exercise, self.roster, self.decided = exercise, roster, decided
        self.matcher = matching.Matcher(roster)
        self.staging = staging
        self.attempts: dict[Student, list[Attempt]] = {}
        self.doubtful: list[dict[str, str]] = []
        self.ignored: list[dict[str, str]] = []
        self.extras: dict[Student, list[str]] = {}  # files of a student that are no notebooks
        self.functions = [question.function for question in exercise.questions]
        self.headings = [text.heading for text in exercise.texts]
        self.copied = 0

    def sort(self, found: list[Incoming], on_file: Callable[[int, int, str], None]) -> None:
        short = matching.without_common([item.name for item in found])
        for number, item in enumerate(found):
            on_file(number, len(found), item.name)
            decision = self.decided.get(item.name)
            if decision == LEAVE_OUT:
                self.ignored.append({"file": item.name, "why": "제외하기로 함"})
                continue
            attempt, text = self._stage(item, number)
            if isinstance(decision, Student):
                self._add(decision, item, attempt, decided=True)
                continue
            match = self.matcher.match(short[item.name], lambda text=text: text)
            if match.student:
                self._add(match.student, item, attempt)
            elif attempt is None or (item.name.casefold().endswith(".py") and attempt.quality < 2):
                why = item.problem or "노트북이 아닙니다"
                self.ignored.append({"file": item.name, "why": why})
            else:
                self._ask(item.name, match.why, match.candidates)

    def _stage(self, item: Incoming, number: int) -> tuple[Attempt | None, str]:
        """Copy a notebook and see what is in it; None for another kind of file."""
        if not item.is_notebook and not item.problem:
            return None, ""
        suffix = ".py" if item.name.casefold().endswith(".py") else ".ipynb"
        place = self.staging / f".{number}{suffix}"
        try:
            data = item.read()
            self.copied += len(data)
            if self.copied > MAX_COPIED:
                raise CourseError(f"노트북이 모두 {MAX_COPIED >> 30} GB가 넘습니다.", item.name)
            place.write_bytes(data)
        except Unreadable as error:
            return Attempt(item.name, None, item.modified, 0, str(error)), ""
        digest = hashlib.sha256(data).hexdigest()
        try:
            answers = submission.read(place, self.functions, self.headings)
            text = "\n".join(cell.source for cell in read_cells(place)[:6])
        except Unreadable as error:
            return Attempt(item.name, place, item.modified, 0, str(error), digest), ""
        fits = answers.texts or any(answers.defining(name) for name in self.functions)
        return Attempt(item.name, place, item.modified, 2 if fits else 1, "", digest), text

    def _add(self, student: Student, item: Incoming, attempt, decided: bool = False) -> None:
        if attempt is None:
            self.extras.setdefault(student, []).append(item.name)
            self.ignored.append({"file": item.name, "why": "노트북이 아닙니다"})
            return
        if item.name.casefold().endswith(".py") and attempt.quality < 2:
            self.ignored.append({"file": item.name, "why": "이 연습의 답이 아닙니다"})
            return
        attempt = Attempt(**{**vars(attempt), "decided": decided})
        self.attempts.setdefault(student, []).append(attempt)

    def _ask(self, name: str, why: str, candidates=()) -> None:
        shown = " / ".join(f"{student.id} {student.name}".strip() for student in candidates)
        self.doubtful.append({"file": name, "why": why, "candidates": shown})

    def choose(self, due: datetime | None, zone: timezone) -> Collection:
        entries, missing = [], []
        for student in self.roster.students:
            attempts = self.attempts.get(student, [])
            if not attempts:
                if others := self.extras.get(student):
                    self._ask(others[0], "노트북이 아닌 파일만 냈습니다", (student,))
                missing.append(student.id)
                continue
            if chosen := self._one(student, attempts, due):
                entries.append(self._entry(student, chosen, attempts, due, zone))
        return Collection(
            self.exercise.name, "", due.isoformat() if due else None,
            entries, sorted(self.doubtful, key=lambda row: row["file"]), missing, self.ignored,
        )  # fmt: skip

    def _one(self, student: Student, attempts: list[Attempt], due) -> Attempt | None:
        """The attempt that counts, or None after asking."""
        if decided := [attempt for attempt in attempts if attempt.decided]:
            attempts = decided
        best = max(attempt.quality for attempt in attempts)
        # a notebook of another exercise is no attempt at this one; one that can't be read may be
        fitting = [a for a in attempts if a.quality == best or (a.quality == 0 and best == 2)]
        in_time = [a for a in fitting if due and a.modified and a.modified <= due]
        pool = in_time or fitting
        known = [a for a in pool if a.modified]
        if len({a.digest or a.name for a in pool}) > 1 and len(known) < len(pool):
            return self._which(student, pool, "제출 시각을 모르는 파일이 여럿입니다")
        last = max(known, key=lambda a: (a.modified, _copy_number(a.name)), default=pool[0])
        rivals = [a for a in known if a.modified == last.modified and a.digest != last.digest
                  and _copy_number(a.name) == _copy_number(last.name)]  # fmt: skip
        if rivals:
            return self._which(student, [last, *rivals], "같은 시각의 다른 파일입니다")
        if last.quality == 0 and any(a.quality for a in pool):
            return self._which(student, pool, "마지막 파일을 읽을 수 없고 앞의 것이 있습니다")
        return last

    def _which(self, student: Student, attempts: list[Attempt], why: str) -> None:
        for attempt in attempts:
            self._ask(attempt.name, f"{why}. 쓸 것 하나에 학번을 적습니다", (student,))

    def _entry(self, student: Student, chosen: Attempt, attempts, due, zone) -> Entry:
        file = ""
        if chosen.copy:
            # named by us: what came from outside is never a path
            file = f"{_safe(student.id)}/{self.exercise.name}{chosen.copy.suffix}"
            (self.staging / file).parent.mkdir(exist_ok=True)
            shutil.copy(chosen.copy, self.staging / file)
        late = None if due is None or chosen.modified is None else chosen.modified > due
        time = chosen.modified.astimezone(zone).isoformat() if chosen.modified else None
        others = [attempt.name for attempt in attempts if attempt is not chosen]
        return Entry(student.id, student.name, file, chosen.name, time, late,
                     "" if chosen.copy else chosen.problem, others)  # fmt: skip


def _safe(text: str) -> str:
    return re.sub(r"[^\w.-]", "_", text)


def _copy_number(name: str) -> int:
    """3 in "과제 (3).ipynb": the browser counts what it has downloaded already."""
    found = re.findall(r"\((\d{1,3})\)", name.rsplit("/", 1)[-1])
    return int(found[-1]) if found else 0


def _check_places(source: Path, out: Path) -> None:
    inside = out.resolve().is_relative_to(source.resolve()) if source.is_dir() else False
    if inside or source.resolve().is_relative_to(out.resolve()):
        raise CourseError("--out은 받은 폴더의 밖이어야 합니다. 원본은 바꾸지 않습니다.", out)
    if out.exists() and (
        not out.is_dir() or (any(out.iterdir()) and not (out / MANIFEST).exists())
    ):
        raise CourseError("grade collect가 만들지 않은 파일이 있습니다. 다른 --out을 줍니다.", out)


def _write(
    folder: Path, result: Collection, decided: dict[str, Student | str], roster: Roster
) -> None:
    for leftover in folder.glob(".*"):
        leftover.unlink()
    data = json.dumps(asdict(result), ensure_ascii=False, indent=1)
    (folder / MANIFEST).write_text(data + "\n", encoding="utf-8")
    decisions.write(folder / QUESTIONS, result.doubtful, decided)
    # the folder stays closed to other users of the machine, as mkdtemp made it
    tables.write(folder / ROSTER, roster.columns, [s.row.values() for s in roster.students])


def _swap(staging: Path, out: Path) -> None:
    """``staging`` takes the place of ``out``; at no moment is there half of either."""
    old = None
    if out.exists():
        old = Path(tempfile.mkdtemp(dir=out.parent, prefix=f".{out.name}-old-"))
        out.rename(old / "was")
    staging.rename(out)
    if old:
        shutil.rmtree(old)
