"""What travels between grader and child, and what the grader makes of it."""

from __future__ import annotations

import json
import struct

import numpy as np
import pytest

from coursekit.grading.probes.questions import Draw, Exercise, ExerciseError, Probe, call
from coursekit.grading.probes.verdict import (
    Raised,
    Wrong,
    close,
    describe,
    judge,
    tree_close,
    unpack,
)
from coursekit.grading.wire import frames, trees
from coursekit.grading.wire.trees import BadTree, Key, Opaque, Spec, decode, encode


def round_trip(value):
    blobs: list[bytes] = []
    node = json.loads(json.dumps(encode(value, blobs)))
    return decode(node, blobs)


@pytest.mark.parametrize(
    "value",
    [None, True, 0, -(10**30), 1.5, float("inf"), "한글", (1, [2.0, {"a": None}]), {}, ()],
)
def test_plain_values_survive(value):
    assert round_trip(value) == value and type(round_trip(value)) is type(value)


@pytest.mark.parametrize("dtype", [d for d in trees.DTYPES if d != "bfloat16"])
@pytest.mark.parametrize("shape", [(), (0,), (2, 3)])
def test_arrays_survive(dtype, shape):
    array = np.ones(shape, dtype)
    got = round_trip([array])[0]
    assert got.dtype == array.dtype and got.shape == shape and np.array_equal(got, array)


def test_transposed_arrays_and_keys_survive():
    array = np.arange(6.0).reshape(2, 3).T
    assert np.array_equal(round_trip(array), array)
    key = round_trip(Key(np.array([1, 2], np.uint32)))
    assert key.implementation == "threefry2x32" and list(key.data) == [1, 2]


def test_bfloat16_keeps_value_and_name():
    import ml_dtypes

    got = round_trip(np.array([1.5, -2.0], ml_dtypes.bfloat16))
    assert list(got) == [1.5, -2.0] and trees.dtype_name(got) == "bfloat16"
    with pytest.raises(Wrong, match="bfloat16"):
        close(got, [1.5, -2.0], "값")


def test_what_can_not_travel_is_opaque_or_big():
    deep = None
    for _ in range(1000):
        deep = [deep]
    assert isinstance(round_trip(object()), Opaque)
    assert isinstance(round_trip({1: 2}), Opaque)
    assert isinstance(round_trip(np.array([object()])), Opaque)
    assert "너무 큰 값" in str(round_trip([0] * 5000))
    assert round_trip(np.zeros(trees.MAX_ARRAY + 1, np.int8)) == Opaque("너무 큰 값")
    assert round_trip(10**100_000) == Opaque("너무 큰 값")
    assert round_trip(deep)
    assert round_trip("\ud800") == "?"


@pytest.mark.parametrize(
    "node",
    [
        None, [], 3, {}, {"k": 1}, {"k": "pickle", "v": ""}, {"k": "int", "v": 3},
        {"k": "int", "v": "0x" + "f" * 9000}, {"k": "float", "v": "lots"}, {"k": "bool", "v": 1},
        {"k": "tuple", "v": {}}, {"k": "dict", "v": [["a"]]}, {"k": "dict", "v": [[1, None]]},
        {"k": "array", "d": "float32", "s": [2], "b": 0},
        {"k": "array", "d": "float32", "s": [-1], "b": 0},
        {"k": "array", "d": "object", "s": [1], "b": 0},
        {"k": "array", "d": "float32", "s": [1 << 40, 1 << 40], "b": 0},
        {"k": "array", "d": "float32", "s": [True], "b": 0},
        {"k": "array", "d": "float32", "s": [1] * 99, "b": 0},
        {"k": "array", "d": "float32", "s": [1], "b": 7},
        {"k": "array", "d": "float32", "s": [1], "b": -1},
        {"k": "array", "d": "float32", "s": [1], "b": False},
        {"k": "key", "d": "float32", "s": [1], "b": 0, "impl": "threefry2x32"},
        {"k": "key", "d": "uint32", "s": [1], "b": 0, "impl": 3},
        {"k": "slot", "v": "0", "impl": ""},
        {"k": "array", "d": "float32", "s": [1 << 40, 0], "b": 0},
        {"k": "array", "d": "float32", "s": [1 << 20, 1 << 20, 0], "b": 0},
        {"k": "spec", "d": "float32", "s": [1 << 40], "impl": ""},
        {"k": "spec", "d": "object", "s": [1], "impl": ""},
    ],
)  # fmt: skip
def test_lying_nodes_are_refused(node):
    with pytest.raises(BadTree):
        decode(node, [b"1234"])


def test_deep_nodes_are_refused_before_the_stack_ends():
    node: dict = {"k": "none"}
    for _ in range(5000):
        node = {"k": "list", "v": [node]}
    with pytest.raises(BadTree):
        decode(node, [])


def feed(data: bytes, step: int = 1 << 20):
    reader = frames.FrameReader()
    for start in range(0, len(data), step):
        if frame := reader.feed(data[start : start + step]):
            return frame
    return None


@pytest.mark.parametrize("step", [1, 3, 1000])
def test_frames_arrive_in_pieces(step):
    message, blobs = feed(frames.pack({"a": "가"}, [b"", b"xyz"]), step)
    assert message["a"] == "가" and blobs == [b"", b"xyz"]


@pytest.mark.parametrize(
    "data",
    [
        struct.pack(">I", 1 << 31), struct.pack(">I", 4) + b"junk", struct.pack(">I", 2) + b"[]",
        *(
            struct.pack(">I", len(text)) + text
            for text in (
                b"{}", b'{"blobs": 3}', b'{"blobs": [-1]}', b'{"blobs": [true]}',
                b'{"blobs": [99999999999]}', b'{"blobs": [1.5]}', b"[" * 100_000,
                json.dumps({"blobs": [0] * 600}).encode(), b'{"a": ' + b"9" * 9000 + b"}",
            )
        ),
    ],
)  # fmt: skip
def test_bad_frames_are_refused_at_once(data):
    with pytest.raises(frames.BadFrame):
        feed(data)


@pytest.mark.parametrize(
    ("got", "want", "options"),
    [
        (np.array(1.0, np.float32), 2.0, {}),
        (np.array(np.nan, np.float32), 1.0, {}),
        (np.array(np.nan, np.float32), np.nan, {}),
        (np.array(np.inf, np.float32), 1.0, {"atol": 1e9}),
        (np.array([1.0], np.float32), 1.0, {}),
        (np.array(1.0, np.float64), 1.0, {}),
        (np.array(1, np.int32), 1.0, {}),
        (np.array(1 + 0j, np.complex64), 1.0, {"dtype": None}),
        (1.0, 1.0, {}),
        (Opaque("Always"), 1.0, {"dtype": None}),
        ("1.0", 1.0, {"dtype": None}),
        (None, 1.0, {"dtype": None}),
        ((1.0,), 1.0, {"dtype": None}),
    ],
)
def test_close_refuses(got, want, options):
    with pytest.raises(Wrong, match="값"):
        close(got, want, "값", **options)


def test_close_accepts():
    close(np.array([1.0, 2.0], np.float32), [1.0, 2.000001], "값")
    close(3, 3, "값", dtype=None)
    close(np.array(3, np.int32), 3, "값", dtype="int32")
    tree_close({"a": [np.array(1.0, np.float32)]}, {"a": [1.0]}, "값")


def number(value: float, dtype: str | None) -> np.ndarray:
    if dtype == "bfloat16":
        return np.array(value, np.float32).view(trees.Bfloat16)
    return np.array(value, dtype or "float64")


@pytest.mark.parametrize("dtype", ["float32", "float64", "bfloat16", None])
@pytest.mark.parametrize(
    ("want", "options", "tolerance"),
    [
        (0.0, {"rtol": 0.0, "atol": 0.01}, 0.01),
        (0.0, {"rtol": 9.0, "atol": 0.01}, 0.01),
        (100.0, {"rtol": 0.01, "atol": 0.0}, 1.0),
        (-100.0, {"rtol": 0.01, "atol": 0.0}, 1.0),
        (100.0, {"rtol": 0.01, "atol": 1.0}, 2.0),
        (1.0, {}, 1.1e-5),
        (0.0, {}, 1e-6),
    ],
)
def test_close_lets_pass_what_the_tolerance_says_and_no_more(want, options, tolerance, dtype):
    for sign in (1, -1):
        close(number(want + sign * 0.9 * tolerance, dtype), want, "값", dtype=dtype, **options)
        tree_close(
            [number(want + sign * 0.9 * tolerance, dtype)], [want], "값", dtype=dtype, **options
        )
        with pytest.raises(Wrong, match="이어야 하는데"):
            close(number(want + sign * 1.1 * tolerance, dtype), want, "값", dtype=dtype, **options)


def test_close_measures_from_the_right_value_and_counts_whole_numbers():
    # 1.1 tolerances of the right value are less than one of the wrong one
    with pytest.raises(Wrong):
        close(np.float64([1.0 + 0.011]), [1.0], "값", rtol=0.01, atol=0.0, dtype=None)
    options = {"dtype": "int32", "rtol": 0.0}
    close(np.array(10, np.int32), 9, "값", atol=1.0, **options)
    for atol in (0.0, 0.9):
        with pytest.raises(Wrong):
            close(np.array(10, np.int32), 9, "값", atol=atol, **options)


@pytest.mark.parametrize("got", ["float16", "float32", "float64", "int32", "bool", "bfloat16"])
@pytest.mark.parametrize("want", ["float16", "float32", "float64", "int32", "bool", "bfloat16"])
def test_only_the_dtype_asked_for_is_right(got, want):
    close(number(1.0, got), 1.0, "값", dtype=None)
    if got == want:
        close(number(1.0, got), 1.0, "값", dtype=want)
    else:
        with pytest.raises(Wrong, match=f"dtype이 {want}이어야 하는데 {got}입니다"):
            close(number(1.0, got), 1.0, "값", dtype=want)


def test_trees_must_have_the_same_containers():
    one = np.array(1.0, np.float32)
    for got in ({"b": one}, [one], one, {"a": one, "b": one}, None):
        with pytest.raises(Wrong):
            tree_close(got, {"a": 1.0}, "값")
    for got in (1, "ab", {"a": 1, "b": 2}, (1,), (1, 2, 3)):
        with pytest.raises(Wrong):
            unpack(got, 2, "값")


def test_describe_is_short_and_one_line():
    value: list = [np.zeros(9)]
    for _ in range(20):
        value = [value, value, value, value, value]
    assert len(describe(value)) < 2000
    assert "\n" not in describe("a\nb") and len(describe("x" * 999)) < 100


def probe_of(check) -> Probe:
    return Probe("p", "검사", 1, False, (), check)


def test_judge_passes_fails_and_forwards():
    def good(draw):
        assert (yield call(1)) == 5

    def bad(draw):
        yield call(1)
        raise Wrong("틀림")

    def odd(draw):
        a, b = yield call(1)

    def catching(draw):
        try:
            yield call(1)
        except Raised:
            yield call(2)

    def raises(request):
        if request.arguments == (1,):
            raise Raised("ValueError", "첫 줄\n둘째")
        return 5

    draw = Draw("x")
    assert judge(probe_of(good), draw, lambda r: 5).passed
    assert judge(probe_of(bad), draw, lambda r: 5).reason == "틀림"
    assert not judge(probe_of(odd), draw, lambda r: 5).passed
    assert judge(probe_of(catching), draw, raises).passed
    failed = judge(probe_of(good), draw, raises)
    assert not failed.passed and "첫 줄" in failed.reason and "둘째" not in failed.reason


@pytest.mark.parametrize(
    "error",
    [MemoryError, OverflowError, RecursionError, ZeroDivisionError, AssertionError, OSError],
)
def test_whatever_a_probe_raises_over_an_answer_is_that_answers_failure(error):
    def breaking(draw):
        yield call(1)
        raise error("모양")

    found = judge(probe_of(breaking), Draw("x"), lambda r: 5)
    assert not found.passed and error.__name__ in found.reason


def test_what_asking_raises_and_what_the_author_did_wrong_pass_through():
    def good(draw):
        yield call(1)

    def author(draw):
        yield call(1)
        raise ExerciseError("틀린 검사")

    def gone(request):
        raise ConnectionError

    with pytest.raises(ConnectionError):
        judge(probe_of(good), Draw("x"), gone)
    with pytest.raises(ExerciseError):
        judge(probe_of(author), Draw("x"), lambda r: 5)


def test_a_spec_tells_the_shape_and_nothing_of_the_values():
    blobs: list[bytes] = []
    value = (np.float32([1, 2]), [Key(np.uint32([[3, 4]]))], {"n": np.int32(7)}, 5)
    node = json.loads(json.dumps(encode(value, blobs, trees.spec)))
    assert blobs == []
    assert decode(node, []) == (
        Spec("float32", (2,)), [Spec("uint32", (1, 2), "threefry2x32")],
        {"n": Spec("int32", ())}, 5,
    )  # fmt: skip


def test_a_probe_that_asks_nothing_is_the_authors_mistake():
    def nothing(draw):
        if False:
            yield

    with pytest.raises(ExerciseError):
        judge(probe_of(nothing), Draw("x"), lambda r: 1)
    with pytest.raises(ExerciseError):
        Exercise("x", "x").function("1", "f", "t").probe(1, "yield 없음")(lambda draw: None)


def test_draws_depend_on_every_name_and_on_nothing_else():
    assert np.array_equal(Draw("a", "b").normal(3), Draw("a", "b").normal(3))
    assert not np.array_equal(Draw("a", "b").normal(3), Draw("a", "c").normal(3))
    assert not np.array_equal(Draw("ab", "").normal(3), Draw("a", "b").normal(3))
    assert Draw("a").key(3).data.shape == (3, 2) and Draw("a").normal(2).dtype == np.float32
