"""Is a notebook one of the exercise?  The course's own notebooks and those of others."""

from __future__ import annotations

import json

import pytest

from coursekit.grading.engine import grade
from coursekit.grading.handed_in import given, submission
from coursekit.grading.handed_in.origin import recognise
from coursekit.grading.probes import questions
from coursekit.project import ROOT

from .test_odd_notebooks import markdown, notebook

SETS = sorted(path.name for path in (ROOT / "grading").glob("[0-9]*"))
ASKED = {
    name: [q.function for q in questions.load(ROOT / "grading" / name).questions] for name in SETS
}


def origin(path, exercise: str):
    return submission.read(path, ASKED[exercise], [], exercise).origin


@pytest.mark.parametrize("exercise", ["00-why-jax", "05-random-keys"])
def test_every_notebook_of_the_course_is_told_from_every_other(exercise):
    for kind in given.KINDS:
        for path in sorted((ROOT / kind).glob("*.ipynb")):
            found = origin(path, exercise)
            if path.stem == exercise and kind != "chapters":
                assert not found.other and not found.few, path
            else:
                assert path.stem in found.other or found.few, (path, found)
                if found.other:
                    assert found.other.endswith(path.stem)


@pytest.mark.parametrize("exercise", SETS)
def test_right_answers_without_a_title_are_of_their_exercise(exercise):
    for path in (ROOT / "grading" / exercise / "right").glob("*.py"):
        found = origin(path, exercise)
        assert not found.other and not found.few, path


@pytest.mark.parametrize(
    ("title", "names", "other", "few"),
    [
        ("", ASKED["05-random-keys"], "", False),
        ("과제 5 김민수", ASKED["05-random-keys"], "", False),
        ("PyTorch Fundamentals", ["train"], "", True),
        ("", ["train"], "", True),
        ("연습: grad", ["train", "dropout"], "", True),
        ("연습: vmap과 샤딩", ["train"], "연습 04-vmap-and-sharding", False),
        ("연습:  VMAP과 샤딩 ", ["train"], "연습 04-vmap-and-sharding", False),
        ("풀이: vmap과 샤딩", ["train"], "풀이 04-vmap-and-sharding", False),
        ("", ASKED["04-vmap-and-sharding"], "연습 04-vmap-and-sharding", False),
        # a template taken from another week, with answers to this one
        ("연습: vmap과 샤딩", ASKED["05-random-keys"], "", False),
        ("", [*ASKED["04-vmap-and-sharding"], *ASKED["05-random-keys"]], "", False),
    ],
)
def test_title_and_names(title, names, other, few):
    found = recognise("05-random-keys", ASKED["05-random-keys"], title=title, defined=names)
    assert (found.other, found.few) == (other, few)


def test_a_lone_notebook_of_another_week_gets_no_points_and_its_name(tmp_path):
    exercise = questions.load(ROOT / "grading" / "05-random-keys")
    foreign = notebook(markdown("# MAML sines"), "def train(x):\n    return x", "train(3)")
    (tmp_path / "foreign.ipynb").write_bytes(foreign)
    (tmp_path / "untitled.ipynb").write_bytes(notebook("def train(x):\n    return x"))
    with grade.Grader(exercise, seed="origin") as grader:
        for folder, name in (("solutions", "06-flax-and-optax"), ("exercises", "04-vmap-and-sharding"),
                             ("chapters", "05-random-keys")):  # fmt: skip
            result = grader.grade(ROOT / folder / f"{name}.ipynb")
            assert (result.status, result.questions) == ("unmatched", []) and name in result.reason
        result = grader.grade(tmp_path / "foreign.ipynb")
        assert result.status == "unmatched" and "‘MAML sines’" in result.reason
        result = grader.grade(tmp_path / "untitled.ipynb")
        assert result.points == 0 and any("다른 노트북인지" in line for line in result.look)


def test_the_blank_notebook_with_its_own_text_answers(tmp_path):
    """Free text ends at the next heading of the exercise, not at one of the student's own."""
    name = "07-from-pytorch"
    document = json.loads((ROOT / "exercises" / f"{name}.ipynb").read_text(encoding="utf-8"))
    path = tmp_path / "a.ipynb"
    for kind, text in (("markdown", "## 내 답\n\n첫째\n\n# 큰 제목\n\n끝"), ("code", "# 첫째\n# 끝"),
                       ("code", "첫째로 저는 끝까지 썼습니다"), ("code", '"""첫째 끝"""')):  # fmt: skip
        cells = []
        for one in document["cells"]:
            cells.append(one)
            if "결정기록" in given.fold("".join(one["source"])) and one["cell_type"] == "markdown":
                cells.append({"cell_type": kind, "metadata": {}, "source": text})
        path.write_text(json.dumps({**document, "cells": cells}), encoding="utf-8")
        found = submission.read(path, ASKED[name], ["결정기록"], name)
        assert "첫째" in found.texts["결정기록"] and "끝" in found.texts["결정기록"], (
            kind,
            found.texts,
        )
