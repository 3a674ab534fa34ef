"""A question with a time limit of its own."""

from __future__ import annotations

import json
import time

import pytest

from coursekit.grading.engine import grade
from coursekit.grading.probes import questions
from coursekit.grading.probes.questions import call
from coursekit.grading.probes.verdict import require
from coursekit.grading.sandbox.boxes import Limits
from coursekit.grading.sandbox.session import Clock

from . import handed_in
from .conftest import SEED

BURN = """
import time

def burn(seconds):
    end = time.process_time() + seconds
    while time.process_time() < end:
        pass
    return "done"

long = short = burn
"""


@pytest.fixture
def verdicts(tmp_path):
    """Verdicts of two questions that burn 2 CPU seconds; the first has ``cpu``, the other none."""

    def run(cpu: float, limits: Limits) -> list[str]:
        exercise = questions.Exercise("93-limits", "한도", folder=tmp_path)
        (tmp_path / "right").mkdir(exist_ok=True)
        for function, allowed in (("long", cpu), ("short", None)):

            def check(draw):
                require((yield call(2.0)) == "done", "값이 다릅니다.")

            exercise.function("문제", function, "문제", cpu=allowed).probe(1, "검사")(check)
        path = tmp_path / "a.ipynb"
        path.write_text(json.dumps(handed_in.notebook([BURN])))
        result = grade.grade(path, exercise, seed=SEED, limits=limits)
        return [question.probes[0].verdict for question in result.questions]

    return run


def test_only_the_question_that_asks_for_it_gets_more(verdicts):
    assert verdicts(6.0, Limits(cell_cpu=1.0)) == ["pass", "timeout"]


def test_a_question_may_get_less(verdicts):
    assert verdicts(1.0, Limits(cell_cpu=6.0)) == ["timeout", "pass"]


def test_its_time_is_not_taken_from_the_submission():
    limits, clock = Limits(cell_cpu=2.0, cell_wall=10.0), Clock(5.0)
    with clock.allowing(4.0):
        assert clock.cell_limits(limits) == (4.0, limits.cell_idle, 20.0)
        time.sleep(0.5)
    assert clock.end - time.monotonic() > 4.6
    assert clock.cell_limits(limits) == (2.0, limits.cell_idle, 10.0)
    with clock.allowing(None):
        time.sleep(0.5)
    assert clock.end - time.monotonic() < 4.55
