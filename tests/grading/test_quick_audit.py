"""The audit that an author runs between two edits: one question, planted answers, no mutants."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from coursekit.findings import CourseError
from coursekit.grading.audit import mutants, proof
from coursekit.grading.probes import questions
from coursekit.project import ROOT

SET = ROOT / "grading/00-why-jax"


@pytest.fixture
def own_set(tmp_path) -> Path:
    """A copy of set 00 with few planted answers."""
    folder = tmp_path / SET.name
    shutil.copytree(SET, folder, ignore=shutil.ignore_patterns("__pycache__", "mutants.json"))
    for path in sorted(folder.glob("wrong/*.py"))[2:]:
        path.unlink()
    return folder


def test_one_question_is_found_by_number_name_and_function(own_set):
    exercise = questions.load(own_set)
    asked = exercise.questions[0]
    for word in (asked.name, asked.name.removeprefix("문제 "), asked.function):
        assert proof.only(exercise, word).questions == [asked]
    with pytest.raises(CourseError, match="'99' 문제가 없습니다. 있는 문제: 문제 1"):
        proof.only(exercise, "99")


@pytest.mark.needs("sandbox")
def test_one_question_is_proven_without_mutants_and_a_wrong_expectation_is_found(
    own_set, monkeypatch
):
    monkeypatch.setattr(mutants, "run", lambda *a, **k: pytest.fail("mutants ran"))
    exercise, tried = questions.load(own_set), []
    blank = ROOT / "exercises" / f"{SET.name}.ipynb"
    assert proof.audit(exercise, blank, tried.append, question="1") == []
    assert {len(result.questions) for result in tried} == {1}
    (path, _) = sorted(own_set.glob("wrong/*.py"))
    text = path.read_text(encoding="utf-8").replace("# points: ", "# points: 1", 1)
    path.write_text(text, encoding="utf-8")
    (complaint,) = proof.audit(exercise, blank, question="1")
    assert complaint.startswith(f"wrong/{path.name}: 1")
    assert not (own_set / "mutants.json").exists()
