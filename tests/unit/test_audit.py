"""The audit of notebooks: which mutants it makes, which of them it calls noticed, and its ledger."""

from __future__ import annotations

import json
import sys
import time

import pytest

from coursekit.notebooks.audit import ledger, mutants, runner, slices
from coursekit.notebooks.source import Cell

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="needs fork and /proc")


def names(source, *twin):
    return [mutant.name for mutant in mutants.mutants_of(source, *twin)]


@pytest.mark.parametrize(
    ("source", "name"),
    [
        ("y = a * b\nassert y == 6", "y = a * b -> y = a + b"),
        ("def f(x):\n    return x < 3\nassert f(2)", "return x < 3 -> return x >= 3"),
        ("y = jnp.sum(x)\nassert y == 6", "y = jnp.sum(x) -> y = jnp.mean(x)"),
        ("y = f(x, axis=1)\nassert y == 6", "y = f(x, axis=1) -> y = f(x)"),
        ("y = f(x, axis=1)\nassert y == 6", "y = f(x, axis=1) -> y = f(x, axis=0)"),
        ("y = jax.jit(f)(x)\nassert y == 6", "y = jax.jit(f)(x) -> y = f(x)"),
        ("@jax.jit\ndef f(x):\n    return x\nassert f(1)", "@jax.jit -> (없음)"),
        ("f(state)\nassert state == 6", "f(state) -> (없음)"),
        ("for i in range(9):\n    f(i)\nassert y", "for i in range(9): -> for i in range(9 - 1):"),
        ("assert jax.vmap(f)(x) == 6", "assert jax.vmap(f)(x) == 6 -> assert f(x) == 6"),
        (
            "with expect_error(ValueError):\n    f(1)",
            "f(1) -> raise NameError('다른 오류')",
        ),
        (
            "with expect_error(ValueError):\n    f(1)",
            "f(1) -> raise ValueError('다른 오류')",
        ),
    ],
)
def test_a_mutant_that_means_something(source, name):
    assert name in names(source)


@pytest.mark.parametrize(
    "source",
    [
        "x = jnp.array([1.0, 2.0])\nassert x[0] == 1",  # data
        "ax.plot(x + y)\nassert True",  # a plot
        "assert a + b < c",  # what an assert compares
        "print('a' + b)\nassert b",  # a text
        "np.testing.assert_allclose(a, b, rtol=1e-5)",  # a tolerance
    ],
)
def test_no_mutants_of_data_plots_and_tolerances(source):
    assert names(source) == []


def test_a_cell_without_asserts_is_not_audited():
    assert not mutants.asserts("def f():\n    assert x\ny = f")
    assert mutants.asserts("for x in y:\n    assert x")
    assert mutants.asserts("with expect_error(TypeError):\n    f()")
    assert mutants.asserts("np.testing.assert_allclose(a, b)")


def test_the_twins_swap_their_bodies():
    right, wrong = "y = x.at[0].set(1)\nassert y[0] == 1\ny", "y = x\ny"
    (swapped,) = [m for m in mutants.mutants_of(right, wrong, "wrong") if "몸통" in m.name]
    assert swapped.source == "y = x\nassert y[0] == 1\ny"
    loud = "with expect_error(TypeError):\n    x[0] = 1"
    (swapped,) = [m for m in mutants.mutants_of(right, loud, "wrong") if "몸통" in m.name]
    assert swapped.source == "x[0] = 1\nassert y[0] == 1\ny"
    (repaired,) = [m for m in mutants.mutants_of(loud, right, "right") if "몸통" in m.name]
    assert repaired.source == "with expect_error(TypeError):\n    y = x.at[0].set(1)"


def test_a_slice_holds_what_a_cell_needs_and_no_more():
    cells = [
        "import math",
        "other = 1",
        "seen = []\n\n\ndef note(x):\n    seen.append(x)",
        "x = 2",
        "x = 3",
        "note(x)",
        "assert seen == [3]",
    ]
    assert slices.needed(cells, 6) == [2, 4, 5]
    assert slices.needed(cells, 6, "all") == [0, 1, 2, 3, 4, 5]
    assert slices.needed(["a = {}", "b = 1", "a['k'] = b", "assert a"], 3) == [0, 1, 2]
    assert slices.needed(["x = 1", "def f(x):\n    return x", "assert f(2)"], 2) == [1]


@pytest.fixture(scope="module")
def zygote(tmp_path_factory):
    started = runner.Zygote([], str(tmp_path_factory.mktemp("cache")))
    yield started
    started.close()


@pytest.fixture
def short(monkeypatch):
    monkeypatch.setattr(runner, "MORE", 0.0)
    monkeypatch.setattr(runner, "IDLE", 2.0)
    monkeypatch.setattr(runner, "MEMORY", 1 << 30)


def output(text):
    return [type("Output", (), {"output_type": "stream", "name": "stdout", "text": text})()]


def audit(zygote, checkout, source, shown="", tags=(), before=(), twin=("", "")):
    unit = ledger.Unit(
        len(before), Cell("code", source, (), tags), output(shown) if shown else [], *twin
    )
    return runner.audit(zygote, unit, [*before, source], checkout)


def test_asserts_outputs_and_survivors_are_told_apart(zygote, checkout, short):
    before = ["a, b = 3, 2", "def f(x, flag=0):\n    return x"]
    noticed = audit(zygote, checkout, "y = a * b\nassert y == 6", before=before)
    assert (noticed.mutants, noticed.by_assert, noticed.alive) == (1, 1, [])
    seen = audit(zygote, checkout, "y = a * b\nassert y > 0\nprint(y)", "6\n", before=before)
    assert (seen.by_assert, seen.by_output, seen.alive) == (0, 1, [])
    times = audit(
        zygote,
        checkout,
        "y = a * b\nassert y > 0\nprint(y)",
        "7\n",
        ("nbval-ignore-output",),
        before,
    )
    assert times.alive == ["y = a * b -> y = a + b"]
    alike = audit(zygote, checkout, "y = f(1, flag=1)\nassert y == 1", before=before)
    assert (alike.mutants, alike.alive) == (1, ["y = f(1, flag=1) -> y = f(1)"])


def test_a_right_cell_that_its_wrong_body_passes_is_told(zygote, checkout, short):
    wrong = "y = [1]"
    entry = audit(zygote, checkout, "y = [1, 2]\nassert y", twin=(wrong, "wrong"))
    assert entry.swap is False and entry.alive == ["몸통 -> wrong 셀의 몸통"]
    entry = audit(zygote, checkout, "y = [1, 2]\nassert len(y) == 2", twin=(wrong, "wrong"))
    assert entry.swap is True and entry.alive == []


@pytest.mark.parametrize(
    ("cell", "ending"),
    [
        ("while True: pass", "died"),
        ("import threading; threading.Event().wait()", "hung"),
        ("import subprocess, sys; subprocess.run(['sleep', '600'])", "hung"),
        ("hoard = []\nwhile True: hoard.append(bytearray(10**7))", "raised"),
        ("import sys; sys.exit(0)", "raised"),
        ("exit()", "raised"),
        ("import os; os._exit(0)", "died"),
        ("import os, signal; os.kill(os.getpid(), signal.SIGSEGV)", "died"),
        ("import os; os.fork() or os._exit(0)", "ok"),
        ("raise KeyboardInterrupt", "raised"),
        ("def f(", "raised"),
        ("1 + 1", "ok"),
    ],
)
def test_a_cell_may_end_in_any_way_and_the_next_one_runs(zygote, short, cell, ending):
    assert zygote.run([cell], cpu=1.0)["ending"] == ending
    after = zygote.run(["x = 1", "print(x)\nx + 1"], cpu=5.0)
    assert (after["ending"], after["shown"]) == ("ok", ["1\n", "2"])


def test_nothing_of_one_run_is_left_in_the_next(zygote, short, tmp_path):
    spoil = (
        "import os, json, pathlib\nos.environ['SPOILT'] = 'yes'\njson.dumps = None\n"
        "pathlib.Path('left').write_text('x')"
    )
    assert zygote.run([spoil])["ending"] == "ok"
    look = "import os, json\nprint(os.environ.get('SPOILT'), json.dumps({}), os.listdir('.'))"
    assert zygote.run([look])["shown"] == ["None {} []\n"]


def test_a_process_that_a_cell_leaves_behind_is_ended(zygote, short):
    cell = (
        "import subprocess\nprint(subprocess.Popen(['sleep', '600'], start_new_session=True).pid)"
    )
    pid = int(zygote.run([cell])["shown"][0])
    for _ in range(100):
        try:
            with open(f"/proc/{pid}/stat") as file:
                if file.read().rpartition(")")[2].split()[0] == "Z":
                    return
        except FileNotFoundError:
            return
        time.sleep(0.1)
    pytest.fail("the process still runs")


def test_a_cell_that_cannot_be_repeated_is_told(zygote, checkout, short):
    entry = audit(zygote, checkout, "assert missing == 1")
    assert (entry.width, entry.mutants) == ("", 0)


def test_only_what_changed_is_audited_again_and_check_tells(sample, monkeypatch):
    (target,) = ledger.audited(sample)
    audited = []
    run_one = runner.audit

    def one(zygote, unit, *rest):
        audited.append(unit.index)
        return run_one(zygote, unit, *rest)

    monkeypatch.setattr(runner, "audit", one)
    runner.run(sample, [target])
    assert sorted(audited) == [1, 2]
    data = json.loads(ledger.place(target, sample).read_text(encoding="utf-8"))
    assert data["figures"]["swaps_noticed"] == data["figures"]["swaps"] == 2
    assert ledger.check(sample) == []
    runner.run(sample, [target])
    assert len(audited) == 2  # nothing new

    path = sample.source / "chapters" / "01-sample.md"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("assert point == (5, 2)", "assert point[0] == 5"), "utf-8")
    (finding,) = ledger.check(sample)
    assert "감사 기록이 없는 셀이 2개" in finding.message and "book.py audit 01" in finding.message
    data["cells"].pop()
    ledger.place(target, sample).write_text(json.dumps(data), encoding="utf-8")
    path.write_text(text, encoding="utf-8")
    runner.run(sample, ledger.audited(sample))  # a run that was killed goes on
    assert sorted(audited) == [1, 2, 2]


def test_a_reason_explains_a_survivor_and_must_have_one(sample):
    (target,) = ledger.audited(sample)
    entry = ledger.Entry("x", "d", "names", mutants=2, by_assert=1, alive=["a -> b"])
    ledger.save(target, sample, [entry])
    place = ledger.place(target, sample)
    stored = json.loads(place.read_text(encoding="utf-8"))
    assert stored["cells"][0]["alive"] == {"a -> b": "open"} and stored["figures"]["open"] == 1
    place.with_suffix(".txt").write_text("a -> b | 둘은 같은 값입니다\nc -> d | 없음\n", "utf-8")
    ledger.save(target, sample, [entry])
    stored = json.loads(place.read_text(encoding="utf-8"))
    assert stored["cells"][0]["alive"] == {"a -> b": "둘은 같은 값입니다"}
    assert (stored["figures"]["open"], stored["figures"]["explained"]) == (0, 1)
    told = [finding.message for finding in ledger.check(sample)]
    assert "살아남지 않은 변이에 까닭이 있습니다: c -> d" in told
