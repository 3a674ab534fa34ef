"""What a grader needs to see of a gradebook, as plain data; no web in it."""

from __future__ import annotations

import json
import math
import time
from dataclasses import asdict
from datetime import datetime

from coursekit.grading.course import statements
from coursekit.grading.gradebook.book import Gradebook, Manual, digest_of
from coursekit.grading.records import words
from coursekit.grading.records.shown import shown
from coursekit.project import ROOT

_LOOKING = 120.0  # seconds that an answer counts as being read after it was opened


class Desk:
    """One gradebook, read by several people at once."""

    def __init__(self, book: Gradebook) -> None:
        self.book = book
        self.looking: dict[str, tuple[str, str, str, float]] = {}  # grader → what they have open
        self._asked: dict[tuple[str, str], str] = {}

    def exercises(self) -> list[dict]:
        return [
            {"name": e["name"], "title": e["title"],
             "questions": [{k: q[k] for k in ("name", "title", "kind", "points")}
                           for q in e["questions"]]}
            for e in self.book.exercises()
        ]  # fmt: skip

    def about(self, exercise: str, question: str) -> dict:
        """The question as the gradebook describes it; raises KeyError."""
        for found in self.book.exercises():
            if found["name"] == exercise:
                for about in found["questions"]:
                    if about["name"] == question:
                        return about
        raise KeyError(question)

    def statement(self, exercise: str, about: dict) -> str:
        """What the student was asked, from the course beside the gradebook; "" without it."""
        heading = about["title"] if about["kind"] == "text" else about["name"]
        key = (exercise, heading)
        if key not in self._asked:
            self._asked[key] = statements.statement(
                ROOT / "exercises" / f"{exercise}.ipynb", heading
            )
        return self._asked[key]

    def queue(self, exercise: str, question: str) -> dict:
        """Everything handed in, in order, with where it stands; cheap for a thousand."""
        names = {row["id"]: row["name"] for row in self.book.all("select id, name from students")}
        rows = self.book.all(
            """
            select s.item, s.student, s.status as whole, s.late, m.points as given,
                   m.version, m.answer as seen, json_extract(s.answers, ?3) as answer,
                   (select json_array(json_extract(value, '$.points'), json_extract(value, '$.status'))
                    from json_each(s.result, '$.questions')
                    where json_extract(value, '$.name') = ?2) as auto
            from submissions s left join manual m
              on m.exercise = s.exercise and m.item = s.item and m.question = ?2
            where s.exercise = ?1 order by s.item
            """,
            exercise, question, f'$."{question}"',
        )  # fmt: skip
        last = self.book.one("select coalesce(max(id), 0) as id from events")["id"]
        items = []
        for row in rows:
            points, status = json.loads(row["auto"]) if row["auto"] else (None, row["whole"])
            stale = row["version"] is not None and row["seen"] != digest_of(row["answer"] or "")
            items.append({
                "item": row["item"], "name": names.get(row["student"] or "", ""), "status": status,
                "auto": points, "given": row["given"], "done": not stale and (row["given"] is not None or row["version"] is not None and status != "review"),
                "stale": stale, "late": bool(row["late"]),
            })  # fmt: skip
        return {"items": items, "last": last}

    def answer(self, exercise: str, question: str, item: str, who: str, since: int = 0) -> dict:
        """One answer with all that bears on it; raises KeyError if there is none."""
        about = self.about(exercise, question)
        row = self.book.find(exercise, item)
        if row is None:
            raise KeyError(item)
        graded = next((q for q in row.result.questions if q.name == question), None)
        manual = self.book.manual(exercise, item, question)
        text = row.answers.get(question, "")
        name = self.book.one("select name from students where id = ?", row.student or "")
        self.looking[who] = (exercise, question, item, time.monotonic())
        return {
            "item": item, "name": name["name"] if name else "",
            "about": about, "statement": self.statement(exercise, about), "answer": shown(text), "digest": digest_of(text),
            "status": graded.status if graded else row.status,
            "auto": graded.points if graded else None,
            "reason": shown(graded.reason if graded else row.result.reason),
            "probes": [asdict(p) for p in graded.probes] if graded else [],
            "manual": asdict(manual) if manual else None,
            "stale": bool(manual and manual.answer != digest_of(text)),
            "late": row.late, "submitted": row.submitted, "original": row.original,
            "notes": [*map(shown, row.result.look), *map(shown, row.result.notes)], "copied": row.result.copied,
            "history": [_told(event) for event in self.book.events(exercise, item, question)],
            "phrases": self.book.phrases(exercise, question),
            **self.others(exercise, question, who, since),
        }  # fmt: skip

    def judge(self, exercise: str, question: str, item: str, who: str, said: dict) -> Manual:
        """Record ``said``: points (or None), comment, version, digest.

        Raises ValueError (Korean), KeyError or `gradebook.Conflict`.
        """
        about = self.about(exercise, question)
        if self.book.find(exercise, item) is None:
            raise KeyError(item)
        points = said.get("points")
        if points is not None:
            if isinstance(points, bool) or not isinstance(points, (int, float)):
                raise ValueError("점수가 숫자가 아닙니다.")
            if not math.isfinite(points) or not 0 <= points <= about["points"]:
                raise ValueError(f"점수는 0부터 {about['points']}까지입니다.")
        comment, version = said.get("comment", ""), said.get("version")
        if not isinstance(comment, str) or len(comment) > 10_000:
            raise ValueError("말이 너무 깁니다. 10,000자까지 씁니다.")
        if not isinstance(version, int):
            raise ValueError("version이 없습니다. 쪽을 새로 고칩니다.")
        return self.book.judge(
            exercise, item, question, points=points, comment=comment.strip(), grader=who,
            answer=str(said.get("digest", "")), version=version,
        )  # fmt: skip

    def others(self, exercise: str, question: str, who: str, since: int) -> dict:
        """What everyone else reads now and has graded since: busy, news, last."""
        busy = self._busy(exercise, question, who)
        return {"busy": busy, **self._news(exercise, question, since)}

    def _busy(self, exercise: str, question: str, who: str) -> dict[str, str]:
        """Item → who else has it open."""
        limit = time.monotonic() - _LOOKING
        return {
            item: name
            for name, (e, q, item, when) in self.looking.items()
            if (e, q) == (exercise, question) and name != who and when > limit
        }

    def _news(self, exercise: str, question: str, since: int) -> dict:
        """Grades given after event ``since``, by anyone."""
        rows = self.book.all(
            "select max(e.id) as id, e.item, m.points from events e join manual m "
            "on m.exercise = e.exercise and m.item = e.item and m.question = e.question "
            "where e.id > ? and e.exercise = ? and e.question = ? group by e.item",
            since, exercise, question,
        )  # fmt: skip
        last = max((row["id"] for row in rows), default=since)
        return {"news": {row["item"]: row["points"] for row in rows}, "last": last}


def _told(event: dict) -> dict:
    """An event as a sentence's parts."""

    def say(text: str | None) -> str:
        if not text:
            return ""
        if event["kind"] != "manual":
            status, _, points = text.partition(" ")  # as `Gradebook.save` writes it
            label = words.SUBMISSION.get(status, status)
            return f"{label}, {points}점" if status == "graded" else label
        said = json.loads(text)
        points = "점수 없이" if said["points"] is None else f"{said['points']:g}점"
        return f"{points} {said['comment']}".strip()

    at = datetime.fromisoformat(event["at"]).astimezone()  # kept in UTC, told as clocks show it
    return {"at": at.isoformat(), "who": event["who"], "kind": event["kind"],
            "before": say(event["before"]), "after": say(event["after"])}  # fmt: skip
