"""To nbgrader and back, and the self-check of GitHub Classroom."""

from __future__ import annotations

import json
import re
import subprocess
import sys

import jupytext
import nbformat
import pytest
import yaml
from typer.testing import CliRunner

from coursekit.findings import CourseError
from coursekit.grading.commands import cli
from coursekit.grading.interchange import from_nbgrader, to_nbgrader
from coursekit.grading.probes import questions

from .classroom import ROOT, SET

NAME = SET.name


@pytest.fixture(scope="module")
def exported() -> dict:
    return json.loads(to_nbgrader.export(questions.load(SET)))


def marks(cell: dict) -> dict:
    return cell["metadata"].get("nbgrader", {})


def test_the_export_is_a_notebook_as_nbgrader_wants_it(exported):
    nbformat.validate(nbformat.from_dict(exported))
    graded = [cell for cell in exported["cells"] if marks(cell).get("grade")]
    answers = [cell for cell in exported["cells"] if marks(cell).get("solution")]
    assert len(answers) == 8 and sum(marks(cell)["points"] for cell in graded) == 48
    ids = [marks(cell)["grade_id"] for cell in graded + answers]
    assert len(set(ids)) == len(ids) and all(re.fullmatch(r"[A-Za-z0-9-]+", i) for i in ids)
    assert all("### BEGIN SOLUTION" in cell["source"] for cell in answers)
    for cell in graded + answers:
        keys = {"grade_id", "grade", "solution", "task", "locked", "schema_version"}
        assert keys <= marks(cell).keys()


def test_exported_tests_pass_the_solution_and_fail_the_blank(exported):
    def program(blank: bool) -> str:
        parts = []
        for cell in exported["cells"]:
            if cell["cell_type"] != "code":
                continue
            text = cell["source"]
            if blank and marks(cell).get("solution"):
                stub = "    raise NotImplementedError\n"
                text = re.sub(
                    r"^ *### BEGIN SOLUTION.*?### END SOLUTION\n?", stub, text, flags=re.M | re.S
                )
            if marks(cell).get("grade"):
                text = f"try:\n    exec({text!r}, globals())\n    print('ok')\nexcept Exception as e:\n    print(type(e).__name__)"
            parts.append(text)
        return "\n".join(parts)

    for blank, word in ((False, "ok"), (True, "NotImplementedError")):
        done = subprocess.run(
            [sys.executable, "-c", program(blank)], capture_output=True, text=True
        )
        verdicts = done.stdout.split()
        assert done.returncode == 0 and set(verdicts) == {word}, (verdicts, done.stderr[-500:])


def test_there_and_back_keeps_prose_answers_and_tests(exported, tmp_path):
    path = tmp_path / "source.ipynb"
    path.write_text(json.dumps(exported), "utf-8")
    found = from_nbgrader.convert(path, "08-back")
    text = found.files["source/exercises/08-back.md"]
    notebook = jupytext.reads(text, fmt="md:myst")
    tags = [tuple(cell.metadata.get("tags", ())) for cell in notebook.cells]
    assert tags.count(("solution",)) == 8
    assert tags.count(("check",)) == len([c for c in exported["cells"] if marks(c).get("locked")])
    assert "한 번만 트레이싱되는 `robust_loss(error, delta, step)`" in text
    answers = found.files["grading/08-back/right/1-imported.py"]
    assert "jnp.where(use_squared, squared, linear)" in answers and "SOLUTION" not in answers
    compile(answers, "answers", "exec")
    for place, content in found.files.items():
        (tmp_path / place).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / place).write_text(content, "utf-8")
    back = questions.load(tmp_path / "grading" / "08-back")
    assert [(q.function, q.points) for q in back.questions] == [
        (q.function, q.points) for q in questions.load(SET).questions
    ]
    with pytest.raises(questions.ExerciseError, match="아직 쓰지 않았습니다"):
        next(back.questions[0].probes[0].check(None))


def foreign(path, *cells: tuple[str, str, dict]):
    document = {"nbformat": 4, "nbformat_minor": 2, "metadata": {}, "cells": [
        {"cell_type": kind, "source": text.splitlines(keepends=True),
         "metadata": {"nbgrader": marks} if marks else {}}
        for kind, text, marks in cells
    ]}  # fmt: skip
    path.write_text(json.dumps(document), "utf-8")
    return path


def test_a_notebook_of_someone_else_comes_over_with_a_list_of_what_is_left(tmp_path):
    answer = "def square(x):\n    ### BEGIN SOLUTION\n    return x * x\n    ### END SOLUTION"
    tests = "assert square(2) == 4\n### BEGIN HIDDEN TESTS\nassert square(-3) == 9\n### END HIDDEN TESTS"
    path = foreign(
        tmp_path / "hw.ipynb",
        ("markdown", "# Homework", {}), ("code", "import math", {}),
        ("code", answer, {"solution": True, "grade": False}),
        ("code", tests, {"solution": False, "grade": True, "points": 3}),
        ("code", "y = 3", {"solution": True, "grade": False}),
        ("markdown", "Why?", {"solution": True, "grade": True, "points": 2}),
    )  # fmt: skip
    done = CliRunner().invoke(cli.app, [
        "import-nbgrader", str(path), "--name", "08-hw", "--out", str(tmp_path / "out"),
    ])  # fmt: skip
    assert done.exit_code == 0, done.output
    assert "함수가 아닙니다" in done.output and "문제 1: 3점짜리 검사를" in done.output
    text = (tmp_path / "out/source/exercises/08-hw.md").read_text("utf-8")
    assert '@check("문제 1")\ndef _():\n    assert square(2) == 4' in text
    assert "square(-3)" not in text  # hidden stays hidden
    probes = (tmp_path / "out/grading/08-hw/probes.py").read_text("utf-8")
    assert "# assert square(-3) == 9" in probes and 'exercise.text("글 1", "글 1", 2)' in probes
    again = CliRunner().invoke(cli.app, [
        "import-nbgrader", str(path), "--name", "08-hw", "--out", str(tmp_path / "out"),
    ])  # fmt: skip
    assert again.exit_code == 1 and "이미 있습니다" in again.output


def test_what_is_no_source_notebook_says_so(tmp_path):
    (tmp_path / "x.ipynb").write_text("{}")
    with pytest.raises(CourseError, match="노트북 형식이 아닙니다"):
        from_nbgrader.convert(tmp_path / "x.ipynb", "08-x")
    with pytest.raises(CourseError, match="답 셀이 없습니다"):
        from_nbgrader.convert(foreign(tmp_path / "y.ipynb", ("code", "x = 1", {})), "08-x")


def test_the_self_check_is_a_valid_workflow_and_prints_verdicts(tmp_path):
    done = CliRunner().invoke(cli.app, ["classroom-workflow", "--out", str(tmp_path)])
    assert done.exit_code == 0, done.output
    path = tmp_path / ".github" / "workflows" / "self-check.yml"
    valid = subprocess.run(
        [sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.github-workflows", str(path)],
        capture_output=True, text=True,
    )  # fmt: skip
    assert valid.returncode == 0, valid.stdout
    steps = yaml.safe_load(path.read_text("utf-8"))["jobs"]["check"]["steps"]
    program = next(step["run"] for step in steps if step.get("shell") == "python")
    blank = (ROOT / "exercises" / f"{NAME}.ipynb").read_bytes()
    (tmp_path / "02.ipynb").write_bytes(blank)
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert "- 문제 1: 아직 빈칸입니다" in done.stdout and "- 문제 8" in done.stdout
