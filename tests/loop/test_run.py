"""`grade run` on a gradebook: resumed after a kill, idempotent, only what changed."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

from coursekit.findings import CourseError
from coursekit.grading.commands import classroom, cli
from coursekit.grading.exchange import collect
from coursekit.grading.gradebook import book as gradebook
from coursekit.grading.gradebook.book import Gradebook
from coursekit.grading.probes import questions

from .classroom import (
    BLANK_2,
    RIGHT_1,
    RIGHT_2,
    ROOT,
    WRONG_1,
    WRONG_2,
    essay,
    notebook,
    write_roster,
)

FILES = {
    "20230001": notebook(RIGHT_1, RIGHT_2, text=essay("키가 같으면 다시 트레이싱하지 않습니다.")),
    "20230002": notebook(WRONG_1, RIGHT_2),
    "20230003": notebook(RIGHT_1, BLANK_2),
    "20230004": notebook("def other(): pass"),
}


def collected(folder: Path, files=None, refused=("20230005",)) -> Path:
    """A folder as `grade collect` leaves it."""
    entries = []
    folder.mkdir(parents=True, exist_ok=True)
    for student, data in (FILES if files is None else files).items():
        path = folder / student / "02-jit-and-xla.ipynb"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        entries.append(collect.Entry(student, "이름", str(path.relative_to(folder)), "원본.ipynb",
                                     None, student == "20230002"))  # fmt: skip
    entries += [
        collect.Entry(s, "이름", "", "원본.ipynb", None, None, "암호가 걸려 있습니다.")
        for s in refused
    ]
    result = collect.Collection("02-jit-and-xla", "x.zip", None, entries, [], [], [])
    (folder / collect.MANIFEST).write_text(
        json.dumps({**vars(result), "submissions": [vars(e) for e in entries]}), "utf-8"
    )
    return folder


def grade(small, folder: Path, book: Gradebook, **options) -> dict[str, bool]:
    """Item → whether its result is new."""
    told: dict[str, bool] = {}
    found = classroom.plan(small, folder)
    if students := options.pop("students", None):
        found = classroom.narrow(found, students)
        options["whole"] = False
    classroom.grade(small, found, book, hidden=[folder],
                    on_done=lambda r, new: told.update({r.submission: new}), **options)  # fmt: skip
    return told


@pytest.fixture(scope="module")
def first(small, tmp_path_factory):
    """(folder, gradebook path) of a class that was graded once; tests copy it."""
    base = tmp_path_factory.mktemp("class")
    folder = collected(base / "모음")
    with Gradebook(base / "out" / "gradebook.db") as book:
        assert set(grade(small, folder, book).values()) == {True}
    return folder, base / "out" / "gradebook.db"


@pytest.fixture
def graded(first, tmp_path):
    """A class of one's own: (folder, open gradebook)."""
    folder = collected(tmp_path / "모음")
    with sqlite3.connect(first[1]) as source, sqlite3.connect(tmp_path / "gradebook.db") as copy:
        source.backup(copy)
    source.close()
    copy.close()
    with Gradebook(tmp_path / "gradebook.db") as book:
        yield folder, book


NAME = "02-jit-and-xla"


def standing(book: Gradebook) -> dict[str, tuple]:
    return {row.item: (row.status, row.result.points) for row in book.submissions(NAME)}


def test_a_class_is_graded_and_every_zero_has_its_reason(graded):
    _, book = graded
    assert standing(book) == {
        "20230001": ("graded", 10), "20230002": ("graded", 7), "20230003": ("graded", 4),
        "20230004": ("unmatched", 0), "20230005": ("unreadable", 0),
    }  # fmt: skip
    row = book.find(NAME, "20230001")
    assert row.student == "20230001" and row.original == "원본.ipynb" and row.late is False
    assert row.answers["문제 1"] == RIGHT_1
    assert row.answers["문제 9"] == "키가 같으면 다시 트레이싱하지 않습니다."
    assert book.find(NAME, "20230003").answers["문제 2"] == ""
    assert book.find(NAME, "20230005").result.reason == "암호가 걸려 있습니다."
    asked = book.exercise()["questions"]
    assert [q["kind"] for q in asked] == ["code", "code", "text"]
    assert "캐시 키" in asked[2]["rubric"] and len(asked[0]["hints"]) == 3


def test_a_second_run_changes_nothing_and_starts_nothing(graded, small, monkeypatch):
    folder, book = graded
    before = "\n".join(book._db.iterdump())
    monkeypatch.setattr("coursekit.grading.engine.batch.Grader", None)  # no grader can be made
    assert set(grade(small, folder, book).values()) == {False}
    assert "\n".join(book._db.iterdump()) == before


def test_only_what_changed_is_graded_again(graded, small):
    folder, book = graded
    kept = {row.item: row.graded for row in book.submissions(NAME)}
    (folder / "20230003" / f"{NAME}.ipynb").write_bytes(notebook(WRONG_1, BLANK_2))
    told = grade(small, folder, book)
    assert [item for item, new in told.items() if new] == ["20230003"]
    assert standing(book)["20230003"] == ("graded", 1)
    assert all(book.find(NAME, i).graded == when for i, when in kept.items() if i != "20230003")
    history = book.events(NAME, "20230003")
    assert [e["after"] for e in history] == ["graded 1", "graded 4"]


def test_one_question_of_one_student(graded, small):
    folder, book = graded
    probes = replace(small, version="다른 판")
    told = grade(probes, folder, book, students=["20230002"], question="문제 1")
    assert told == {"20230002": False}
    # a question that was graded wrongly before is put right, the others are left as they are
    row = book.find(NAME, "20230002")
    spoiled = [replace(q, points=0, status="timeout") if q.name == "문제 1" else q
               for q in row.result.questions]  # fmt: skip
    book.save(replace(row.result, questions=spoiled, points=6), row.answers, student=row.student,
              late=True, original=row.original)  # fmt: skip
    told = grade(small, folder, book, students=["20230002"], question="문제 1")
    assert told == {"20230002": True}
    assert book.find(NAME, "20230002").result == row.result
    with pytest.raises(CourseError, match="없는 문제입니다"):
        grade(small, folder, book, question="문제 77")
    with pytest.raises(CourseError, match="제출물이 없습니다: 999"):
        grade(small, folder, book, students=["999"])


def test_what_the_folder_lacks_is_told_and_kept_unless_it_was_withdrawn(graded, small):
    folder, book = graded
    before = standing(book)
    collected(folder, {k: v for k, v in FILES.items() if k != "20230004"}, refused=())
    gone: list[str] = []
    grade(small, folder, book, on_gone=gone.extend)
    assert gone == ["20230004", "20230005"] and standing(book) == before
    gone.clear()
    grade(small, folder, book, on_gone=gone.extend, students=["20230001"])
    assert gone == []  # the others were not asked for
    grade(small, folder, book, forget=True)
    assert standing(book).keys() == {"20230001", "20230002", "20230003"}
    assert [e["kind"] for e in book.events(NAME, "20230004")] == ["removed", "auto"]


def test_a_persons_grade_outlives_grading_again(graded, small):
    folder, book = graded
    said = dict(points=3.5, comment="좋습니다", grader="김조교", answer="x", version=0)
    book.judge(NAME, "20230001", "문제 9", **said)
    grade(small, folder, book, again=True)
    assert book.manual(NAME, "20230001", "문제 9").points == 3.5
    with pytest.raises(gradebook.Conflict) as caught:
        book.judge(NAME, "20230001", "문제 9", **{**said, "grader": "이조교", "points": 1})
    assert caught.value.current.grader == "김조교"
    assert book.manual(NAME, "20230001", "문제 9").points == 3.5


def test_inputs_stay_the_same_between_runs_unless_a_seed_is_given(graded, small):
    folder, book = graded
    seed = book.exercise()["seed"]
    assert book.find(NAME, "20230001").result.seed == seed
    assert book.set_exercise(small, "", []) == seed
    assert book.set_exercise(small, "새 씨앗", []) == "새 씨앗"


def command(small_set: Path, folder: Path, *more: str) -> list[str]:
    code = "from coursekit.grading.commands.cli import app; app()"
    return [sys.executable, "-c", code, "run", "exercises/02-jit-and-xla", "--grading",
            str(small_set), "--submissions", str(folder), *more]  # fmt: skip


def test_a_killed_run_goes_on_where_it_stopped(small_set, tmp_path):
    folder = collected(
        tmp_path / "모음", dict.fromkeys((f"2023{i:04}" for i in range(5)), FILES["20230001"]), ()
    )
    path = tmp_path / "모음-gradebook.db"
    process = subprocess.Popen(command(small_set, folder, "--workers", "1"), cwd=ROOT,
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)  # fmt: skip
    deadline = time.monotonic() + 120

    def graded() -> dict[str, str]:
        try:
            with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as db:
                return dict(
                    db.execute("select item, graded from submissions where status = 'graded'")
                )
        except sqlite3.OperationalError:
            return {}

    while time.monotonic() < deadline and process.poll() is None and not graded():
        time.sleep(0.05)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    kept = graded()
    assert 0 < len(kept) < 5
    again = subprocess.run(command(small_set, folder), cwd=ROOT, capture_output=True, text=True)
    assert again.returncode == 0, again.stdout + again.stderr
    assert "바뀌지 않음" in again.stderr
    with Gradebook(path) as book:
        rows = list(book.submissions(NAME))
        assert len(rows) == 5 and all(row.result.points == 10 for row in rows)
        assert all(row.graded == kept[row.item] for row in rows if row.item in kept)
        assert len(book.all("select * from events")) == 5  # one for each: nothing graded twice


LOOKS = """
import os
SEEN = [name for name in os.listdir(FOLDER) if "gradebook" in name or "sibling" in name]
def predict_traces():
    return [9] if SEEN else [1, 1, 1, 2, 3, 4, 5, 6, 7, 7]
"""


@pytest.mark.parametrize("below", [True, False])
def test_the_command_hides_the_folder_of_the_book(small_set, tmp_path, monkeypatch, below):
    """Where a sandbox would show it, for python lies above: with the cover and without."""
    place = tmp_path / "prefix" / "class"
    place.mkdir(parents=True)
    (place / "sibling.txt").write_text("another class")
    monkeypatch.setattr(sys, "prefix", str(tmp_path / "prefix"))
    if not below:  # what would happen if nothing were covered
        monkeypatch.setattr(classroom, "covered", lambda book: [])
    cell = LOOKS.replace("FOLDER", repr(str(place)))
    folder = collected(tmp_path / "모음", {"20230001": notebook(cell)}, ())
    book = place / "gradebook.db"
    more = ("--gradebook", str(book), "--question", "문제 1")
    done = CliRunner().invoke(cli.app, command(small_set, folder, *more)[3:])
    assert done.exit_code == 0, done.output
    with Gradebook(book) as opened:
        result = opened.find(NAME, "20230001").result
    points = {question.name: question.points for question in result.questions}["문제 1"]
    assert (points > 0) is below


def test_others_on_the_machine_can_not_read_the_book(tmp_path):
    with Gradebook(tmp_path / "gradebook.db") as book:
        book.set_exercise(replace(questions.Exercise("x", "y"), version="1"), "", [])
        modes = {path.stat().st_mode & 0o777 for path in tmp_path.glob("gradebook.db*")}
    assert modes == {0o600}


def test_two_runs_at_once_are_refused(graded, small):
    folder, book = graded
    with classroom.alone(book), pytest.raises(CourseError, match="다른 grade run이"):
        grade(small, folder, book)


def test_the_folder_of_another_exercise_is_refused(small, tmp_path):
    folder = collected(tmp_path / "모음")
    other = replace(small, name="01-immutable-arrays")
    with pytest.raises(CourseError, match="02-jit-and-xla의 제출물이 든 폴더"):
        classroom.plan(other, folder)


def test_a_file_that_is_no_gradebook_says_so(tmp_path):
    (tmp_path / "gradebook.db").write_text("hello" * 1000)
    with pytest.raises(CourseError, match="성적부를 열지 못했습니다"):
        Gradebook(tmp_path / "gradebook.db")
    with pytest.raises(CourseError, match="성적부가 없습니다"):
        Gradebook(tmp_path / "없음.db", create=False)


def test_the_command_explains_a_wrong_question(small_set, tmp_path):
    folder = collected(tmp_path / "모음")
    done = CliRunner().invoke(cli.app, command(small_set, folder, "--question", "문제 77")[3:])
    assert done.exit_code == 1 and "있는 문제: 문제 1, 문제 2" in done.output


def test_the_command_tells_what_the_folder_lacks(small_set, tmp_path):
    def run(*more: str) -> str:
        done = CliRunner().invoke(cli.app, command(small_set, tmp_path / "모음", *more)[3:])
        assert done.exit_code == 0, done.output
        return done.output

    collected(tmp_path / "모음", {}, refused=("20230005", "20230006"))
    write_roster(tmp_path / "모음" / collect.ROSTER, [("20230006", "이서연")])
    assert "그대로 두었습니다" not in run()
    collected(tmp_path / "모음", {}, refused=("20230005",))
    assert "없는 제출 1개를 그대로 두었습니다: 이서연(20230006)" in run()
    assert "없는 제출 1개를 성적부에서 지웠습니다: 이서연(20230006)" in run("--forget")
    assert "없는 제출" not in run()


def test_wrong_answers_lose_points(small, tmp_path):
    folder = collected(tmp_path / "모음", {"1": notebook(WRONG_1, WRONG_2)}, refused=())
    with Gradebook(tmp_path / "gradebook.db") as book:
        grade(small, folder, book)
        assert standing(book)["1"][1] < 4
