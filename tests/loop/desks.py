"""A gradebook full of free text, and a review server that runs beside the test."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Iterator
from pathlib import Path

from coursekit.grading.gradebook.book import Gradebook
from coursekit.grading.probes.questions import Exercise, TextQuestion
from coursekit.grading.records.result import ProbeResult, QuestionResult, Result
from coursekit.grading.records.roster import Roster, Student
from coursekit.grading.review.server import Server

NAME = "02-jit-and-xla"
ABOUT = [
    {"name": "문제 1", "function": "predict_traces", "title": "트레이싱 횟수", "points": 4,
     "kind": "code", "probes": [], "rubric": "", "hints": [], "sections": []},
    {"name": "문제 9", "function": "", "title": "생각해 보기", "points": 4, "kind": "text",
     "probes": [], "rubric": "- **2점** 캐시 키를 말합니다", "hints": [], "sections": []},
]  # fmt: skip
TEXT = "캐시 키가 같으면 다시 트레이싱하지 않습니다. ({})\n\n<img src=x onerror=\"document.title='뚫림'\">"


def fill(path: Path, count: int) -> Path:
    """A gradebook with ``count`` students, each with an answer to both questions."""
    exercise = Exercise(NAME, "jit과 XLA", texts=[TextQuestion("문제 9", "생각해 보기", 8)])
    students = [Student(f"2023{i:04}", f"학생{i}", row={}) for i in range(count)]
    with Gradebook(path) as book:
        book.set_exercise(exercise, "씨앗", ABOUT)
        book.set_roster(Roster(["학번", "이름"], students))
        for i, student in enumerate(students):
            probes = [ProbeResult("a", "보이는 검사", 2, 2, "pass"),
                      ProbeResult("b", "숨은 검사", 2, 0, "fail", "숨은 검사", "입력 3에서 다릅니다")]  # fmt: skip
            questions = [
                QuestionResult("문제 1", "predict_traces", 2, 4, "graded", "틀림", "", probes),
                QuestionResult("문제 9", "", 0, 4, "review", "사람이 읽고 채점합니다."),
            ]
            result = Result(student.id, NAME, "graded", 2, 8, questions=questions, digest=str(i))
            answers = {"문제 1": f"def predict_traces():\n    return {i}", "문제 9": TEXT.format(i)}
            book.save(result, answers, student=student.id)
    return path


@contextlib.contextmanager
def serving(path: Path, *graders: str) -> Iterator[Server]:
    """A review of the gradebook at ``path``, in a thread with a loop of its own."""
    ready, box = threading.Event(), []

    async def serve() -> None:
        with Gradebook(path, create=False) as book:
            done = asyncio.Event()
            box.extend([Server(book, list(graders)), asyncio.get_running_loop(), done])
            ready.set()
            await done.wait()
            box[0].stop()

    thread = threading.Thread(target=lambda: asyncio.run(serve()))
    thread.start()
    assert ready.wait(20)
    try:
        yield box[0]
    finally:
        box[1].call_soon_threadsafe(box[2].set)
        thread.join()
