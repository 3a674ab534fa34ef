"""The gradebook: one SQLite file, for one assignment or a whole course.

WAL mode, so that a review can be open while a run writes, and a process killed at any moment
leaves the last whole transaction.  Every change of a grade is kept as an event.  The answers
themselves are in it too: review and report need nothing but this file.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import sqlite3
import threading
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from coursekit.findings import CourseError
from coursekit.grading.probes.questions import Exercise
from coursekit.grading.records.result import Result
from coursekit.grading.records.roster import Roster, Student, section_of

NAME = "gradebook.db"
_VERSION = 1
_SCHEMA = Path(__file__).with_name("gradebook.sql")


class Conflict(Exception):
    """Someone else has changed the grade since it was read; ``current`` is theirs."""

    def __init__(self, current: Manual | None) -> None:
        super().__init__("다른 채점자가 먼저 저장했습니다.")
        self.current = current


@dataclass(frozen=True)
class Manual:
    """What a person said.  ``points`` None: only a comment.  ``answer``: digest of what they saw."""

    points: float | None
    comment: str
    grader: str
    answer: str
    version: int
    changed: str


@dataclass(frozen=True)
class Row:
    """A submission as it stands; ``late`` is None where it is not known."""

    exercise: str
    item: str
    student: str | None
    late: bool | None
    submitted: str | None
    original: str
    status: str
    result: Result
    answers: dict[str, str]
    graded: str


class Gradebook:
    """Safe to use from several threads and, on one machine, from several processes."""

    def __init__(self, path: Path, *, create: bool = True) -> None:
        self.path = path
        if not create and not path.is_file():
            raise CourseError("성적부가 없습니다. 먼저 grade run을 실행합니다.", path)
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.exists():
            path.touch(0o600)  # grades are nobody else's business
        try:
            self._db = sqlite3.connect(path, timeout=30, isolation_level=None,
                                       check_same_thread=False)  # fmt: skip
            self._db.row_factory = sqlite3.Row
            self._db.execute("pragma journal_mode = wal")
            self._db.execute("pragma synchronous = full")
            self._lock = threading.RLock()
            with self.writing() as db:
                version = db.execute("pragma user_version").fetchone()[0]
                if version == 0:
                    for statement in _SCHEMA.read_text(encoding="utf-8").split(";\n"):
                        db.execute(statement)
                    db.execute(f"pragma user_version = {_VERSION}")
        except sqlite3.DatabaseError as error:
            raise CourseError(f"성적부를 열지 못했습니다. ({error})", path) from None
        if version > _VERSION:
            raise CourseError("더 새로운 판의 성적부입니다. 이 저장소를 새로 받으세요.", path)

    def close(self) -> None:
        self._db.close()

    def __enter__(self) -> Gradebook:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @contextlib.contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """One transaction, all or nothing."""
        with self._lock:
            self._db.execute("begin immediate")
            try:
                yield self._db
            except BaseException:
                self._db.execute("rollback")
                raise
            self._db.execute("commit")

    def all(self, query: str, *values: Any) -> list[sqlite3.Row]:
        with self._lock:
            return self._db.execute(query, values).fetchall()

    def one(self, query: str, *values: Any) -> sqlite3.Row | None:
        with self._lock:
            return self._db.execute(query, values).fetchone()

    # the assignment and the class ---------------------------------------------------------

    def set_exercise(self, exercise: Exercise, seed: str, about: list[dict]) -> str:
        """Record what was asked; the seed to grade with (that of the first run, unless given)."""
        old = self.one("select * from exercises where name = ?", exercise.name)
        kept = seed or (old["seed"] if old else os.urandom(8).hex())
        row = (exercise.name, exercise.title, exercise.points, exercise.version, kept,
               json.dumps(about, ensure_ascii=False))  # fmt: skip
        if old is None or tuple(old) != row:
            with self.writing() as db:
                db.execute("insert or replace into exercises values (?, ?, ?, ?, ?, ?)", row)
        return kept

    def exercises(self) -> list[dict]:
        rows = self.all("select * from exercises order by name")
        return [{**dict(row), "questions": json.loads(row["questions"])} for row in rows]

    def exercise(self, name: str = "") -> dict:
        """The one named, or the only one."""
        found = self.exercises()
        chosen = [e for e in found if e["name"] == name or not name]
        if len(chosen) != 1:
            known = ", ".join(e["name"] for e in found) or "없음"
            raise CourseError(f"--exercise로 연습을 고릅니다. 성적부에 있는 것: {known}", self.path)
        return chosen[0]

    def set_roster(self, roster: Roster) -> None:
        old = self.roster()
        if (
            old
            and old.columns == roster.columns
            and (
                [student.row for student in old.students]
                == [student.row for student in roster.students]
            )
        ):
            return
        with self.writing() as db:
            db.execute("delete from students")
            db.executemany(
                "insert into students values (?, ?, ?, ?)",
                [(s.id, s.name, json.dumps(s.row, ensure_ascii=False), i)
                 for i, s in enumerate(roster.students)],
            )  # fmt: skip
            db.execute("insert or replace into rosters values (1, ?)",
                       (json.dumps(roster.columns, ensure_ascii=False),))  # fmt: skip

    def roster(self) -> Roster | None:
        row = self.one("select columns from rosters")
        if row is None:
            return None
        columns = json.loads(row["columns"])
        students = []
        for r in self.all("select * from students order by position"):
            cells = json.loads(r["row"])
            section = section_of(cells, columns)
            students.append(Student(r["id"], r["name"], section=section, row=cells))
        return Roster(columns, students)

    # what the engine found ----------------------------------------------------------------

    def save(self, result: Result, answers: dict[str, str], **about: Any) -> None:
        """Record a result, replacing that of the same item; ``about`` are columns of its row."""
        values = {
            "student": None, "late": None, "submitted": None, "original": "", **about,
            "exercise": result.exercise, "item": result.submission, "digest": result.digest,
            "status": result.status, "points": result.points, "result": result.to_json(),
            "answers": json.dumps(answers, ensure_ascii=False), "graded": now(),
        }  # fmt: skip
        key = (result.exercise, result.submission)
        with self.writing() as db:
            old = db.execute(
                "select status, points, digest from submissions where exercise = ? and item = ?",
                key,
            ).fetchone()
            names = ", ".join(values)
            marks = ", ".join(f":{name}" for name in values)
            db.execute(f"insert or replace into submissions ({names}) values ({marks})", values)
            before = None if old is None else f"{old['status']} {old['points']}"
            after = f"{result.status} {result.points}"
            if old is None or before != after or old["digest"] != result.digest:
                self._event(db, "채점기", *key, "", "auto", before, after)

    def forget(self, exercise: str, kept: set[str]) -> list[str]:
        """Drop items that were graded once and are not in the folder any more; their events stay."""
        rows = self.all("select item from submissions where exercise = ?", exercise)
        gone = [row["item"] for row in rows if row["item"] not in kept]
        with self.writing() as db:
            for item in gone:
                db.execute(
                    "delete from submissions where exercise = ? and item = ?", (exercise, item)
                )
                self._event(db, "채점기", exercise, item, "", "removed", None, None)
        return gone

    def find(self, exercise: str, item: str) -> Row | None:
        row = self.one("select * from submissions where exercise = ? and item = ?", exercise, item)
        return None if row is None else _row(row)

    def submissions(self, exercise: str) -> Iterator[Row]:
        """One after another, so that a large class need not fit into memory."""
        for row in self.all(
            "select item from submissions where exercise = ? order by item", exercise
        ):
            if found := self.find(exercise, row["item"]):
                yield found

    # what people say ----------------------------------------------------------------------

    def manual(self, exercise: str, item: str, question: str) -> Manual | None:
        row = self.one(
            "select * from manual where exercise = ? and item = ? and question = ?",
            exercise, item, question,
        )  # fmt: skip
        return None if row is None else _manual(row)

    def manuals(self, exercise: str) -> dict[tuple[str, str], Manual]:
        """By (item, question)."""
        rows = self.all("select * from manual where exercise = ?", exercise)
        return {(row["item"], row["question"]): _manual(row) for row in rows}

    def judge(
        self, exercise: str, item: str, question: str, *,
        points: float | None, comment: str, grader: str, answer: str, version: int,
    ) -> Manual:  # fmt: skip
        """Record a person's grade.  ``version``: of the grade they saw, 0 for none.

        Raises `Conflict` if it is not the present one, so that nobody's work is overwritten
        unseen.
        """
        key = (exercise, item, question)
        with self.writing() as db:
            row = db.execute(
                "select * from manual where exercise = ? and item = ? and question = ?", key
            ).fetchone()
            old = None if row is None else _manual(row)
            if (old.version if old else 0) != version:
                raise Conflict(old)
            new = Manual(points, comment, grader, answer, version + 1, now())
            db.execute("insert or replace into manual values (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                       (*key, points, comment, grader, answer, new.version, new.changed))  # fmt: skip
            self._event(db, grader, *key, "manual", *(_said(m) for m in (old, new)))
            if comment:
                db.execute(
                    "insert into phrases values (?, ?, ?, 1) on conflict do update "
                    "set used = used + 1", (exercise, question, comment),
                )  # fmt: skip
        return new

    def phrases(self, exercise: str, question: str, limit: int = 9) -> list[str]:
        """Comments given before, the most used first."""
        rows = self.all(
            "select text from phrases where exercise = ? and question = ? "
            "order by used desc, text limit ?", exercise, question, limit,
        )  # fmt: skip
        return [row["text"] for row in rows]

    def events(self, exercise: str, item: str, question: str | None = None) -> list[dict]:
        """Newest first; with ``question`` those of the whole submission too."""
        rows = self.all(
            "select * from events where exercise = ? and item = ? "
            "and (?3 is null or question in (?3, '')) order by id desc", exercise, item, question,
        )  # fmt: skip
        return [dict(row) for row in rows]

    def _event(self, db, who, exercise, item, question, kind, before, after) -> None:
        db.execute(
            "insert into events (at, who, exercise, item, question, kind, before, after) "
            "values (?, ?, ?, ?, ?, ?, ?, ?)",
            (now(), who, exercise, item, question, kind, before, after),
        )  # fmt: skip


def digest_of(answer: str) -> str:
    return hashlib.sha256(answer.encode("utf-8", "replace")).hexdigest()[:16]


def now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


def _said(manual: Manual | None) -> str | None:
    return None if manual is None else json.dumps(
        {k: v for k, v in asdict(manual).items() if k in ("points", "comment", "grader")},
        ensure_ascii=False,
    )  # fmt: skip


def _manual(row: sqlite3.Row) -> Manual:
    return Manual(*(row[name] for name in Manual.__dataclass_fields__))


def _row(row: sqlite3.Row) -> Row:
    return Row(
        row["exercise"], row["item"], row["student"],
        None if row["late"] is None else bool(row["late"]), row["submitted"], row["original"],
        row["status"], Result.from_json(row["result"]), json.loads(row["answers"]), row["graded"],
    )  # fmt: skip
