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

ATTACKS = sorted(path.stem for path in (handed_in.HERE / "attacks").glob("[0-9]*.txt"))
FORMS = sorted(path.stem for path in (handed_in.HERE / "attacks").glob("forms-*.txt"))


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


@pytest.mark.parametrize("name", FORMS)
def test_attack_on_a_form(graded_forms, name):
    judge(graded_forms, f"{name}.ipynb")


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


TOLD = {
    "이 요구를 여러 입력으로 확인했는데, 맞지 않는 경우가 있습니다.",
    "이 요구를 여러 입력으로 확인하다가 오류로 멈췄습니다.",
    "이 요구를 여러 입력으로 확인하다가 정해진 시간 안에 끝나지 않았습니다.",
    "이 요구를 여러 입력으로 확인하다가 프로세스가 멈췄습니다.",
    "앞의 검사에서 멈춰 하지 않았습니다.",
}


@pytest.mark.parametrize("which", ["graded", "graded_forms"])
def test_hidden_inputs_do_not_reach_the_student(which, request):
    """Of a hidden probe the student is told one of five sentences, none made by his function."""
    graded = request.getfixturevalue(which)
    exercise = request.getfixturevalue("exercise" if which == "graded" else "forms")
    shown = {(q.name, p.name) for q in exercise.questions for p in q.probes if p.show}
    titles = {p.title for q in exercise.questions for p in q.probes if not p.show}
    seen = set()
    for result in graded.results.values():
        public = result.public()
        assert public.seconds == public.cpu_seconds == 0.0
        for question in public.questions:
            for probe in question.probes:
                assert probe.detail == ""
                needs = probe.reason.startswith("먼저 통과해야 하는 검사가 있습니다: ")
                if (question.name, probe.name) not in shown and probe.reason and not needs:
                    assert probe.reason in TOLD, explain(result)
                    seen.add(probe.reason)
            title, _, reason = question.reason.rpartition(": ")
            if title in titles:
                assert reason in TOLD, explain(result)
    assert len(seen) > 1
