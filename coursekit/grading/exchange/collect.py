"""What came in → one notebook per student, and a list of all that a person must decide.

``out/학번/…ipynb`` are copies of what counts; ``받은 파일`` holds a copy of every notebook that was
ever collected there, and ``collection.json`` says where each came from.  ``확인할 파일.csv`` holds
the questions, and is read again the next time.  Collecting adds: who counts is chosen anew from
all files, the earlier and the new ones.
"""

from __future__ import annotations

import glob
import json
import shutil
import tempfile
from collections.abc import Callable
from dataclasses import asdict
from datetime import datetime, timedelta, timezone
from pathlib import Path

from coursekit.findings import CourseError
from coursekit.grading.exchange import choosing, decisions, incoming, received
from coursekit.grading.exchange.choosing import Collection, Entry
from coursekit.grading.exchange.decisions import QUESTIONS
from coursekit.grading.exchange.received import Received
from coursekit.grading.probes.questions import Exercise
from coursekit.grading.records import tables
from coursekit.grading.records.roster import Roster, Student

MANIFEST, ROSTER = "collection.json", "명단.csv"
SEOUL = timezone(timedelta(hours=9))


def collect(
    exercise: Exercise,
    source: Path,
    roster: Roster,
    out: Path,
    *,
    due: datetime | None = None,
    zone: timezone = SEOUL,
    fresh: bool = False,
    on_file: Callable[[int, int, str], None] = lambda done, total, name: None,
) -> Collection:
    """Add ``source`` to what ``out`` holds; raises `CourseError` and then leaves ``out`` as it was.

    ``fresh``: drop what ``out`` holds.  Without ``due`` that of the last time holds.
    """
    _restore(out)
    _check_places(source, out)
    before = _before(out, fresh)
    if before and before.exercise != exercise.name:
        raise CourseError(
            f"{before.exercise}의 제출물이 든 폴더입니다. {exercise.name}의 제출물은 다른 --out에 모읍니다.",
            out,
        )
    decided = decisions.read(out / QUESTIONS, roster)
    found = incoming.find(source, zone)
    out.parent.mkdir(parents=True, exist_ok=True)
    staging = Path(tempfile.mkdtemp(dir=out.parent, prefix=f".{out.name}-"))
    try:
        earlier = _earlier(before)
        kept = [] if fresh else received.keep(earlier, out, staging)
        total = 2 * len(found) + len(kept)
        new = received.take(
            found, kept, earlier, staging, lambda done, name: on_file(done, total, name)
        )
        files = [*kept, *new]
        if fresh:
            decided = {name: said for name, said in decided.items()
                       if name in {file.label for file in files}}  # fmt: skip
        since = _since(decided, None if fresh else before)
        work = choosing.Work(exercise, roster, decided, since, staging)
        work.sort(files, lambda done, name: on_file(len(found) + done, total, name))
        if due is None and before and before.due and not fresh:
            due = datetime.fromisoformat(before.due)
        result = work.choose(due, zone)
        result.source, result.received, result.new = source.name, files, len(new)
        result.sources = [*_sources(before, fresh), *([source.name] if new else [])]
        result.decided = since
        there = {entry.student for entry in result.submissions}
        gone = before.submissions if before and fresh else []
        result.removed = [f"{e.name}({e.student})" for e in gone if e.student not in there]
        _write(staging, result, decided, roster)
        _swap(staging, out)
    finally:
        shutil.rmtree(staging, ignore_errors=True)
    return result


def news(found: Collection, fresh: bool) -> list[str]:
    """What has changed since the last time, for the instructor."""
    lines = []
    if fresh:
        lines.append("앞서 걷은 것을 지우고 새로 모았습니다.")
        if found.removed:
            gone = ", ".join(found.removed)
            lines.append(f"이제 제출물이 없는 학생 {len(found.removed)}명: {gone}")
    elif old := len(found.received) - found.new:
        lines.append(f"앞서 걷은 파일 {old}개에 새 파일 {found.new}개를 더했습니다.")
    lines += dict.fromkeys(file.untimed for file in found.received if file.untimed)
    if found.due:
        due = datetime.fromisoformat(found.due)
        lines.append(f"마감: {due:%Y-%m-%d %H:%M}")
    return lines


def read(folder: Path) -> Collection | None:
    """What `collect` wrote into ``folder``, or None if it did not."""
    path = folder / MANIFEST
    if not path.is_file():
        return None
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        submissions = [Entry(**entry) for entry in data["submissions"]]
        files = [Received(**file) for file in data.get("received", [])]
        return Collection(**{**data, "submissions": submissions, "received": files})
    except (OSError, ValueError, TypeError, KeyError) as error:
        raise CourseError(
            f"읽지 못했습니다. grade collect를 --fresh로 다시 실행하세요. ({type(error).__name__})",
            path,
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


def _before(out: Path, fresh: bool) -> Collection | None:
    try:
        return read(out)
    except CourseError:
        if fresh:
            return None
        raise


def _earlier(before: Collection | None) -> list[Received]:
    if before is None:
        return []
    if before.received:
        return before.received
    # written before all files were kept: what counted is all there is
    return [
        Received(e.original, e.original, e.time, 1, "", e.file, e.problem)
        for e in before.submissions
    ]


def _sources(before: Collection | None, fresh: bool) -> list[str]:
    if before is None or fresh:
        return []
    return before.sources or [before.source]


def _since(decided: dict[str, Student | str], before: Collection | None) -> dict[str, list]:
    """See `Collection.decided`.  A decision says nothing about files that came after it."""
    old = before.decided if before else {}
    now = max(1, len(_sources(before, False)))
    found: dict[str, list] = {}
    for name, student in decided.items():
        if isinstance(student, Student):
            same = name in old and old[name][0] == student.id
            found[name] = old[name] if same else [student.id, now]
    return found


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
    data = json.dumps(asdict(result), ensure_ascii=False, indent=1)
    (folder / MANIFEST).write_text(data + "\n", encoding="utf-8")
    offered = [
        {"file": name, "why": "마감 뒤에 다시 낸 것입니다. 이것을 쓰려면 학번을 적습니다",
         "candidates": f"{entry.student} {entry.name}".strip()}
        for entry in result.submissions for name in entry.after_due
    ]  # fmt: skip
    decisions.write(folder / QUESTIONS, result.doubtful, decided, offered)
    # the folder stays closed to other users of the machine, as mkdtemp made it
    tables.write(folder / ROSTER, roster.columns, [s.row.values() for s in roster.students])


def _restore(out: Path) -> None:
    """Put back what `_swap` had moved away when it was killed."""
    moved = sorted(out.parent.glob(f".{glob.escape(out.name)}-old-*/was"))
    if moved and not out.exists():
        moved[-1].rename(out)
        moved[-1].parent.rmdir()


def _swap(staging: Path, out: Path) -> None:
    """``staging`` takes the place of ``out``; at no moment is there half of either.

    Between the two renames there is none: what was there is found again by `_restore`.
    """
    old = None
    if out.exists():
        old = Path(tempfile.mkdtemp(dir=out.parent, prefix=f".{out.name}-old-"))
        out.rename(old / "was")
    staging.rename(out)
    if old:
        shutil.rmtree(old)
