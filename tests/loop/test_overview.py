"""What `grade run` shows: names, a legend, whole words, progress that a log can hold."""

from __future__ import annotations

import io
import re

import pytest
from rich.console import Console
from typer.testing import CliRunner

from coursekit.grading.commands import cli, overview
from coursekit.grading.gradebook.book import Gradebook
from coursekit.grading.records.result import QuestionResult, Result

from .classroom import write_roster
from .test_run import FILES, collected, command

NAME = "02-jit-and-xla"
LONG = "이 연습의 답을 찾지 못했습니다. 필요한 이름: " + ", ".join(
    f"power_iteration_{i}" for i in range(30)
)
PEOPLE = overview.People(
    {"20231001": "김민수", "20231002": "이서연"},
    {"20231001": {"student": "20231001", "late": False}, "20231002": {"late": True}},
)


def result(
    item: str, *statuses: str, status: str = "graded", reason: str = "", copied=()
) -> Result:
    questions = [
        QuestionResult(f"문제 {i}", f"f{i}", 4 if s == "graded" else 0, 4, s, f"까닭 {i}." * (s != "graded"))
        for i, s in enumerate(statuses, 1)
    ]  # fmt: skip
    points = sum(q.points for q in questions)
    return Result(item, NAME, status, points, 24, reason, questions, copied=list(copied))


CLASS = [
    result("20231001", *["graded"] * 6, copied=["f1", "f2"]),
    result("20231002", "graded", "blank", "timeout", "absent", "graded", "graded", copied=["f1"]),
    result("20231003", status="unmatched", reason=LONG),
]


def shown(thing) -> str:
    out = io.StringIO()
    Console(file=out, width=120).print(thing)
    return out.getvalue()


def test_the_table_has_names_and_who_was_late():
    text = shown(overview.table_of(CLASS, PEOPLE))
    assert re.search(r"20231001 │ 김민수 │ 채점함 +│ 24/24", text)
    assert re.search(r"20231002 │ 이서연 │ 채점함, 늦음 +│ 12/24 │ 4 │ +· │ 시간 │ 이름", text)
    without = shown(overview.table_of(CLASS, overview.People({}, {})))
    assert "이름 " not in without.splitlines()[1] and "늦음" not in without


def test_the_legend_tells_the_marks_that_are_there():
    words = overview.legend(CLASS)
    assert words == "· = 빈칸, 이름 = 그 이름의 함수가 없음, 시간 = 시간 초과, – = 채점하지 못함"
    assert overview.legend(CLASS[:1]) == ""
    assert overview.legend([result("1", "blank")]) == ""  # few questions: the words are spelled out


def test_what_needs_a_look_comes_first_and_what_is_published_last():
    lines = overview.notes_of(CLASS, PEOPLE)
    assert lines[0] == "20231002 이서연: 문제 3 시간 초과. 까닭 3. 문제 4 이름 없음. 까닭 4."
    assert lines[1].startswith("20231003: 이 연습의")
    *whole, end = lines[1].removeprefix("20231003: ").split(" ")
    assert end == "…" and set(whole) <= set(LONG.split(" "))  # no word is cut
    assert lines[2].startswith("공개된 풀이와 같은 답")
    assert lines[3:] == ["  20231001 김민수: f1, f2", "  20231002 이서연: f1"]


def test_few_questions_have_their_reason_in_the_table_and_markup_is_text():
    text = shown(overview.table_of([result("1", "graded", "blank")], PEOPLE))
    assert "까닭 2." in text and "0/4 빈칸" in text
    assert r"[red]x\u001b[2J" in shown(
        overview.table_of([result("[red]x\x1b[2J", "graded")], PEOPLE)
    )


@pytest.fixture
def log():
    return io.StringIO()


def test_a_log_gets_plain_lines(log):
    meter = overview.Meter(4, PEOPLE, Console(file=log, width=200))
    with meter:
        meter.skip()
        meter.skip()
        meter.step(CLASS[0])
        meter.step(CLASS[2])
    first, one, two = log.getvalue().splitlines()
    assert first == "채점할 것을 고릅니다. 제출물 4개"
    assert re.fullmatch(r"1/2 20231001 김민수: 24/24, 남은 시간 약 1초", one)  # of two, not of four
    assert two == "2/2 20231003: 다른 노트북"
    assert "\x1b" not in log.getvalue()


def test_a_large_class_does_not_flood_the_log(log):
    with overview.Meter(1000, PEOPLE, Console(file=log, width=200)) as meter:
        for _ in range(1000):
            meter.step(CLASS[0])
    lines = log.getvalue().splitlines()
    assert len(lines) == 51 and lines[-1].startswith("1000/1000 ")


def test_a_terminal_gets_a_bar_whose_total_is_what_is_graded(log):
    console = Console(file=log, width=120, force_terminal=True)
    with overview.Meter(30, PEOPLE, console) as meter:
        for _ in range(28):
            meter.skip()
        meter.step(CLASS[0])
        task = meter.bar.tasks[0]
        assert (task.completed, task.total) == (1, 2)
        assert task.speed is None  # what was skipped says nothing of the speed
    assert "채점할 것을 고릅니다" not in log.getvalue()


@pytest.mark.parametrize(
    ("seconds", "words"), [(0.2, "1초"), (59, "59초"), (61, "1분"), (3700, "1시간 2분")]
)
def test_durations(seconds, words):
    assert overview.duration(seconds) == words


def test_the_command_says_how_many_it_graded_anew(small_set, tmp_path):
    """One of a class of two, one question: run again though nothing changed."""
    folder = collected(tmp_path / "모음", {k: FILES[k] for k in ("20230001", "20230002")}, ())
    people = write_roster(tmp_path / "명단.csv", [("20230001", "김민수"), ("20230002", "이서연")])

    def run(*more: str) -> str:
        line = command(small_set, folder, "--roster", str(people), *more)[3:]
        done = CliRunner().invoke(cli.app, line)
        assert done.exit_code == 0, done.output
        return done.output

    said = run()
    assert "채점 2개, 바뀌지 않음 0개" in said and "2/2 " in said
    assert re.search(r"20230002 │ 이서연 │ 채점함, 늦음", said)
    assert "채점 0개, 바뀌지 않음 2개" in run()
    one = ("--student", "20230002", "--question", "문제 1")
    assert "채점 1개 (점수가 바뀐 것 0개), 바뀌지 않음 0개" in run(*one)
    with Gradebook(folder.with_name("모음-gradebook.db")) as book:
        assert len(list(book.submissions(NAME))) == 2
