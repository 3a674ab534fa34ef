"""Points follow what was learned: the rules of near misses, and probes against own values."""

from __future__ import annotations

import numpy as np
import pytest

from coursekit.grading.audit import proof
from coursekit.grading.engine import batch
from coursekit.grading.probes import Wrong, differ, finite, own, questions, same

from .conftest import LIMITS, SEED
from .handed_in import ROOT

SETS = sorted(path.parent for path in (ROOT / "grading").glob("*/near"))
PROBES = """
from coursekit.grading.probes import Exercise, as_eager, call, close, differ, one_trace

exercise = Exercise("90-example", "보기")
double = exercise.function("문제 1", "double", "두 배")


@double.probe(1, "두 배")
def value(draw):
    x = draw.normal(3)
    close((yield call(x)), 2 * x, "결과")


@double.probe(3, "한 번만 트레이싱")
def form(draw):
    calls = [(draw.normal(3),), (draw.normal(3),)]
    differ((yield from as_eager(*calls)), "입력이 바뀌어도 값이 그대로입니다.")
    yield from one_trace(*calls)
"""


@pytest.mark.parametrize("folder", SETS, ids=lambda folder: folder.name)
def test_every_set_is_fair(folder):
    assert proof.unfair(questions.load(folder)) == []


@pytest.fixture
def small(tmp_path):
    """A set of one question of four points, and what it takes to write an answer into it."""
    (tmp_path / "probes.py").write_text(PROBES, encoding="utf-8")

    def put(name: str, points: int, code: str = "") -> None:
        path = tmp_path / f"{name}.py"
        path.parent.mkdir(exist_ok=True)
        path.write_text(f"# points: {points}\nimport jax.numpy as jnp\n\n\n{code}", "utf-8")

    for number in range(3):
        put(f"near/q1-{number}", 2 + number % 2)
    put("wrong/q1-as-given", 1)
    return tmp_path, put


def complaints(folder) -> str:
    return "\n".join(proof.unfair(questions.load(folder)))


def test_fair_points_are_not_complained_about(small):
    folder, _ = small
    assert complaints(folder) == ""


@pytest.mark.parametrize(
    ("name", "points", "part"),
    [
        ("near/q1-1", 1, "절반"),
        ("near/q1-1", 4, "만점"),
        ("wrong/q1-as-given", 2, "4분의 1"),
        ("wrong/q1-as-given-typed", 3, "4분의 1"),
    ],
)
def test_unfair_points_are_named(small, name, points, part):
    folder, put = small
    put(name, points)
    assert f"{name}.py" in complaints(folder) and part in complaints(folder)


def test_too_few_near_misses_are_named(small):
    folder, _ = small
    (folder / "near/q1-0.py").unlink()
    assert "문제 1: 하나만 빗나간 답이 near/에 3개 이상" in complaints(folder)


def test_near_misses_are_graded_as_planted_answers(small, tmp_path):
    folder, _ = small
    names = {
        item.name: points for item, points in proof.planted(questions.load(folder), tmp_path / "x")
    }
    assert names["near/q1-1.py"] == 3 and names["wrong/q1-as-given.py"] == 1


def test_form_earns_without_the_value_but_not_without_the_inputs(small):
    folder, put = small
    put("right/right", 4, "def double(x):\n    return 2 * x\n")
    put("near/q1-slip", 3, "def double(x):\n    return 3 * x\n")
    put("wrong/q1-eager", 1, "def double(x):\n    return 2 * x if x.sum() < 99 else x\n")
    put("wrong/q1-constant", 0, "def double(x):\n    return jnp.zeros_like(x)\n")
    put("wrong/q1-nothing", 0, "def double(x):\n    return []\n")
    exercise = questions.load(folder)
    paths = [folder / f"{name}.py" for name in
             ("right/right", "near/q1-slip", "wrong/q1-eager", "wrong/q1-constant", "wrong/q1-nothing")]  # fmt: skip
    results = batch.run(
        exercise, [batch.Item(path.stem, path) for path in paths], seed=SEED, limits=LIMITS
    )
    assert [result.points for result in results] == [4, 3, 1, 0, 0]


def test_what_is_the_same():
    same({"a": [np.float32([1, np.nan])]}, {"a": (np.float32([1, np.nan]),)}, "값")
    same(np.asarray(3, np.int32), 3, "파이썬 수는 dtype이 없음")
    same(np.float32([1, 2])[0], np.float32(1), "배열에서 꺼낸 수")
    for got, mine in (
        (np.float32([1, 2]), np.float32([1, 3])),
        (np.float32([1, np.nan]), np.float32([1, 2])),
        (np.float32([1]), np.float32(1)),
        (np.int32([1]), np.float32([1])),
        ([np.float32([1])], [np.float32([1])] * 2),
        ({"a": np.float32([1])}, {"b": np.float32([1])}),
        ({}, {"b": np.float32([1])}),
    ):
        with pytest.raises(Wrong):
            same(got, mine, "값")


def test_what_differs_and_what_is_finite():
    one, two = np.float32([1, 2]), np.float32([1, 3])
    differ([one, two, one], "같음")
    differ([{"a": one}, {"a": two}], "같음")
    for values in ([one, one], [one, two, two], [[], []], [{}, {"a": one}]):
        with pytest.raises(Wrong):
            differ(values, "같음")
    finite([one, {"b": 3}], "값")
    for value in ([], {}, None, "수", [one, np.float32([np.inf])], np.asarray(["a"])):
        with pytest.raises(Wrong):
            finite(value, "값")
    assert [leaf.tolist() for leaf in own.leaves({"b": [1, (2.5,)], "a": one})] == [[1, 2], 1, 2.5]
