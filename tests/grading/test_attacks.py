"""Hostile, broken and unlucky submissions: each must get exactly what it earned."""

from __future__ import annotations

import os
import re
import time
from pathlib import Path

import pytest

from coursekit.grading.engine import batch

from . import handed_in
from .conftest import LIMITS, SEED

ATTACKS = sorted(path.stem for path in (handed_in.HERE / "attacks").glob("*.txt"))


def explain(result) -> str:
    lines = [
        f"{result.submission}: {result.status} {result.points}/{result.possible} {result.reason}"
    ]
    for question in result.questions:
        lines.append(f"  {question.name} {question.status} {question.points} {question.reason}")
        lines += [f"    {p.name} {p.verdict} {p.detail or p.reason}" for p in question.probes]
    return "\n".join(lines)


def judge(graded, name: str) -> None:
    want, got = graded.expected[name], graded.results[name]
    assert (got.status, got.points) == (want.status, want.points), explain(got)
    # "timeout|crashed": which limit is hit first depends on the machine, the points do not
    pattern = want.questions.replace(" ", ") (")
    statuses = " ".join(question.status for question in got.questions)
    assert re.fullmatch(f"({pattern})", statuses), explain(got)


@pytest.mark.parametrize("name", ATTACKS)
def test_attack(graded, name):
    judge(graded, f"{name}.ipynb")


def test_every_odd_file_gets_what_it_earned(graded):
    names = [name for name in graded.expected if name.removesuffix(".ipynb") not in ATTACKS]
    assert len(names) > 30
    for name in names:
        judge(graded, name)


def test_nothing_is_lost_and_every_zero_has_a_reason(graded):
    assert graded.results.keys() == graded.expected.keys()
    for result in graded.results.values():
        if result.status != "graded":
            assert result.reason, explain(result)
        for question in result.questions:
            if question.points < question.possible:
                assert question.reason, explain(result)


def test_every_result_is_on_disk_and_reads_back(graded):
    for name, result in graded.results.items():
        assert batch.read_result(graded.out, name) == result


def test_no_connection_was_made(graded):
    assert graded.connections == []


def test_nothing_is_left_running(graded):
    deadline = time.monotonic() + 20  # another run's orphans may be on their way out
    while (left := _left_running()) and time.monotonic() < deadline:
        time.sleep(0.2)
    assert left == []


def _left_running() -> list[tuple[str, str]]:
    """Daemons of attack 32, and sandbox processes that nobody but this one or init owns."""
    left = []
    for process in Path("/proc").iterdir():
        if process.name.isdigit():
            try:
                command = (process / "cmdline").read_bytes()
                name = (process / "comm").read_text()
                parent = int((process / "stat").read_text().rpartition(")")[2].split()[1])
            except OSError:
                continue
            abandoned = b"grading.child.zygote" in command and parent in (1, os.getpid())
            if "ck-daemon" in name or abandoned:
                left.append((process.name, os.fsdecode(command)))
    return left


def test_nothing_was_planted(graded):
    assert not Path("/tmp/coursekit-bomb").exists()
    assert not Path("/usr/coursekit-doctor").exists()


def test_the_cache_is_as_it_was(graded, exercise):
    from coursekit.grading.engine import cache

    names = os.listdir(cache.folder_for(exercise))
    assert names and not {"planted", "new-entry"} & set(names)


def test_order_and_worker_change_nothing(graded, exercise):
    """A second run, backwards, on one worker, over those that differ most."""
    chosen = [
        item for item in graded.items
        if item.name.startswith(("01", "07", "18", "21", "31", "39", "48", "71", "right", "36", "94"))
    ]  # fmt: skip
    assert len(chosen) > 8
    again = batch.run(exercise, chosen[::-1], seed=SEED, limits=LIMITS, workers=1)
    for result in again:
        assert result.same_verdict(graded.results[result.submission]), explain(result)


TOLD = ("오류", "TypeError", "ValueError", "IndexError", "KeyError", "NameError", "AttributeError",
        "NotImplementedError", "ConcretizationTypeError", "KeyReuseError", "UnexpectedTracerError",
        "NonConcreteBooleanIndexError", "TracerArrayConversionError", "TracerBoolConversionError",
        "TracerIntegerConversionError")  # fmt: skip


def test_hidden_inputs_do_not_reach_the_student(graded, exercise):
    shown = {(q.name, p.name) for q in exercise.questions for p in q.probes if p.show}
    for result in graded.results.values():
        for question in result.public().questions:
            for probe in question.probes:
                assert probe.detail == ""
                if (question.name, probe.name) not in shown and probe.verdict == "fail":
                    hidden, _, kind = probe.reason.partition(" 실행하다 ")
                    assert hidden == "숨은 검사를 통과하지 못했습니다."
                    assert kind in {"", *(f"{name}로 멈췄습니다." for name in TOLD)}
