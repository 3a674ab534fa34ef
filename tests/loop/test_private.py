"""Names and work of students: not in the repository, not in what leaves the teacher's desk."""

from __future__ import annotations

import re
import shutil
import subprocess
from dataclasses import replace

import pytest

from coursekit.grading.commands import private
from coursekit.grading.gradebook.book import Gradebook
from coursekit.grading.records.result import QuestionResult, Result
from coursekit.grading.records.roster import Roster, Student
from coursekit.grading.report import department, pages, standing

from .classroom import ROOT

NAME = "02-jit-and-xla"
ABOUT = [{"name": "문제 1", "function": "predict_traces", "title": "횟수", "points": 4, "kind": "code",
          "probes": [], "rubric": "", "hints": [], "sections": []}]  # fmt: skip


def test_only_places_in_a_checkout_are_warned_of(tmp_path):
    course, elsewhere = tmp_path / "course", tmp_path / "강의"
    (course / ".git").mkdir(parents=True)
    elsewhere.mkdir()
    (elsewhere / "link").symlink_to(course)
    assert "저장소 밖의 폴더" in private.warning(course / "모음", course)
    assert private.warning(elsewhere / "link" / "모음", course)
    assert private.warning(elsewhere / "모음", course) == ""
    (course / ".git").rmdir()
    assert private.warning(course / "모음", course) == ""


has_git = pytest.mark.skipif(
    not (shutil.which("git") and (ROOT / ".git").exists()),
    reason="git으로 복제한 저장소가 아닙니다.",
)


@has_git
@pytest.mark.parametrize(
    "name",
    ["배포/학생별/김민수.ipynb", "모음/s01/05.ipynb", "모음-results/s01.json", "성적부.db",
     "모음-gradebook.db", "보고서/class.html", "명단.csv", "수강생 명단.csv", "02-jit-and-xla-report/grades.csv"],
)  # fmt: skip
def test_git_ignores_what_the_commands_of_the_guide_write(name):
    done = subprocess.run(["git", "check-ignore", "-q", name], cwd=ROOT)
    assert done.returncode == 0, f"{name} is not ignored"


@has_git
def test_git_ignores_no_file_that_it_tracks():
    """A pattern for students' files that hid one of the course would lose its changes."""
    tracked = subprocess.run(["git", "ls-files", "-ci", "--exclude-standard"], cwd=ROOT,
                             capture_output=True, text=True)  # fmt: skip
    assert tracked.stdout == ""


@pytest.fixture
def book(tmp_path, small):
    """Six students of section A, two of B, points 0 to 4; one of B has handed in nothing."""
    people = [Student(f"s{i}", f"가나{i}", section="AAAAAABBB"[i],
                      row={"학번": f"s{i}", "이름": f"가나{i}", "분반": "AAAAAABBB"[i]})
              for i in range(9)]  # fmt: skip
    with Gradebook(tmp_path / "gradebook.db") as book:
        book.set_exercise(small, "씨앗", ABOUT)
        book.set_roster(Roster(["학번", "이름", "분반"], people))
        for i in range(8):
            question = QuestionResult("문제 1", "predict_traces", i % 5, 4, "graded")
            result = Result(f"s{i}", NAME, "graded", i % 5, 4, questions=[question], digest="d")
            book.save(result, {"문제 1": "def predict_traces(): ..."}, student=f"s{i}", late=i == 1)
        yield book


def test_the_department_gets_numbers_by_section_and_no_names(book, tmp_path):
    exercise = book.exercise("")
    pages.write(book, exercise, tmp_path / "보고서")
    text = (tmp_path / "보고서" / "department.html").read_text("utf-8")
    assert not re.search("가나|s[0-9]|predict_traces", text)
    assert exercise["name"] in text
    found = department.of(standing.of_class(book, exercise), exercise)
    first, second = found.sections
    assert (first.name, first.people, first.handed_in, first.late) == ("A", 6, 6, 1)
    assert (first.mean, first.median, first.low, first.high) == (10 / 6, 1.5, 0, 4)
    assert (second.people, second.handed_in, second.settled) == (3, 2, 2)
    assert found.whole.people == 9 and found.whole.settled == 8


def test_points_of_few_people_are_nobodys_to_tell(book):
    exercise = book.exercise("")
    standings = standing.of_class(book, exercise)
    found = department.of(standings, exercise)
    assert found.sections[1].mean is None and found.sections[1].high is None
    few = department.of(standings[:4], exercise)
    assert few.whole.mean is None and few.bins == [] and few.questions == []


def test_a_class_without_sections_is_told_as_one(book):
    exercise = book.exercise("")
    standings = [replace(one, student=replace(one.student, section=""))
                 for one in standing.of_class(book, exercise)]  # fmt: skip
    assert department.of(standings, exercise).sections == []
