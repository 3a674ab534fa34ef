"""Files made to hold the grader up: each costs itself at most, in bounded time and memory."""

from __future__ import annotations

import io
import json
import os
import random
import resource
import threading
import zipfile

import pytest

from coursekit.grading.engine import batch
from coursekit.grading.handed_in import bounded, magics, notebook, submission
from coursekit.grading.handed_in.notebook import Unreadable
from coursekit.grading.report import pages, similar, unusual
from coursekit.project import ROOT

from .test_odd_notebooks import DOUBLE, NAME, TRIPLE, cell, markdown
from .test_odd_notebooks import notebook as packed

NAMES = ("double", "triple", "greet")
WORK = 6.0  # CPU seconds that reading one of these may take; the limit is 8


def zip_of(data: bytes, name: str = "a.ipynb") -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(name, data)
    return out.getvalue()


def deep_json(depth: int) -> bytes:
    return b'{"cells": ' + b"[" * depth + b"]" * depth + b"}"


FILES = {
    "blanks in a broken line": packed("f(:\n" + " " * 200_000 + "\n" + DOUBLE),
    "a run of blanks after a name": packed("x " + " " * 200_000 + "?!\n%ls"),
    "many signs": packed("\n".join(["a = %%%% ! ? = !"] * 3000)),
    "many magics": packed("\n".join(["!ls"] * 5000)),
    "equals": packed("=" * 300_000 + "!"),
    "heading of blanks": packed(markdown("#" + " " * 300_000 + "x")),
    "headings": packed(*[markdown("# " + "#" * 1000) for _ in range(300)]),
    "hashes": packed(markdown("## " + "# " * 100_000)),
    "fences": packed(markdown("```\n" * 50_000)),
    "sum": packed("x = " + "+".join(["a"] * 20_000)),
    "calls": packed("x = f" + "()" * 20_000),
    "attributes": packed("x" + ".a" * 50_000 + " = 1"),
    "brackets": packed("x = " + "[" * 5_000),
    "nots": packed("x = " + "not " * 20_000 + "1"),
    "lambdas": packed("x = " + "lambda: " * 5_000 + "1"),
    "blocks": packed("\n".join(" " * n + "if 1:" for n in range(120))),
    "elifs": packed("if 1: pass\n" + "elif 1: pass\n" * 5_000),
    "strings": packed("x = " + "'a' " * 100_000),
    "f-strings": packed("x = f'" + "{x}" * 20_000 + "'"),
    "names": packed("\n".join(f"def doubl{n}(x): pass" for n in range(20_000))),
    "decorators": packed("@a\n" * 20_000 + DOUBLE),
    "deep json": deep_json(200_000),
    "many small things": b'{"cells": [' + b"[]," * 3_000_000 + b"[]]}",
    "numbers": b'{"cells": [' + b"1," * 3_000_000 + b"1]}",
    "one long number": b'{"cells": ' + b"9" * 100_000 + b"}",
    "zip of many small things": zip_of(b'{"cells": [' + b"[]," * 60_000_000 + b"[]]}"),
    "zip in a zip": zip_of(zip_of(packed(DOUBLE))),
    "many entries": zip_of(b"{}", "a" * 60_000 + ".ipynb"),
    "merge marks": b"<<<<<<< " * 500_000,
    "equals lines": ("=======\n" * 200_000).encode(),
    "colab comments": ("# Commented out IPython magic to ensure Python compatibility.\n" * 100_000).encode(),
    "quotes": ('"""' * 100_000).encode(),
    "comments": ("#" * 300_000 + "\n# In[" + "1" * 100_000).encode(),
}  # fmt: skip


@pytest.fixture(scope="module", autouse=True)
def no_readers_left():
    yield
    bounded.close_all()


@pytest.mark.parametrize("name", FILES)
def test_reading_ends_within_its_limits(tmp_path, name):
    for suffix in (
        (".ipynb", ".py") if name in ("colab comments", "quotes", "comments") else (".ipynb",)
    ):
        path = tmp_path / f"a{suffix}"
        path.write_bytes(FILES[name])
        own = resource.getrusage(resource.RUSAGE_SELF)
        try:
            submission.read(path, NAMES, ["생각해 보기"], "05-random-keys")
        except Unreadable as error:
            assert (
                "\uac00" <= str(error)[0] <= "\ud7a3"
                or str(error)[0].isdigit()
                or "zip" in str(error)
            )
        now = resource.getrusage(resource.RUSAGE_SELF)
        # what it costs, it costs the reader: the grader has only waited
        assert now.ru_utime + now.ru_stime - own.ru_utime - own.ru_stime < WORK
        assert now.ru_maxrss - own.ru_maxrss < 100 << 10


HONEST_BUT_ODD = {
    "the run of blanks": ["f(:\n" + " " * 5000, DOUBLE],
    "the deep sum": ["def total(x):\n    return " + " + ".join(["x"] * 3000), DOUBLE],
    "a long table of text": [markdown("| a | b |\n|---|---|\n" + "| 1 | 2 |\n" * 5000), DOUBLE],
    "a long list": ["data = [" + ", ".join(map(str, range(50_000))) + "]", DOUBLE],
    "three thousand cells": [*["x = 1"] * 3000, DOUBLE],
}


@pytest.mark.parametrize("name", HONEST_BUT_ODD)
def test_what_is_only_large_is_read(tmp_path, name):
    path = tmp_path / "a.ipynb"
    path.write_bytes(packed(*HONEST_BUT_ODD[name]))
    assert submission.read(path, NAMES).defining("double")


def test_a_reader_that_is_killed_costs_one_answer(tmp_path, monkeypatch):
    path = tmp_path / "a.ipynb"
    path.write_bytes(packed(DOUBLE))
    submission.read(path, NAMES)
    victim = bounded._idle[-1]
    os.kill(victim.process.pid, 9)
    victim.process.wait()
    with pytest.raises(Unreadable, match="시간이나 메모리"):
        submission.read(path, NAMES)
    assert submission.read(path, NAMES).defining("double")


def test_work_without_an_end_is_ended(monkeypatch):
    monkeypatch.setattr(bounded, "WALL_SECONDS", 3)
    with pytest.raises(bounded.TooMuch):
        bounded.ask("markdown", cpu=1, text="[" * 200_000)
    assert bounded.ask("markdown", text="**a**") == "<p><strong>a</strong></p>\n"


def test_many_threads_each_get_their_own_answer(tmp_path):
    wrong = []

    def read(number: int) -> None:
        path = tmp_path / f"{number}.ipynb"
        path.write_bytes(packed(f"answer = {number}\n{DOUBLE}"))
        for _ in range(5):
            if f"answer = {number}\n" not in submission.read(path, NAMES).cells[0].source:
                wrong.append(number)

    threads = [threading.Thread(target=read, args=(n,)) for n in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_random_bytes_in_a_notebook_never_raise_anything_else(tmp_path):
    chance = random.Random(7)
    good = bytearray(packed(DOUBLE, markdown("# 제목"), cell("x", "raw"), TRIPLE, NAME))
    path = tmp_path / "a.ipynb"
    for _ in range(100):
        data = bytearray(good)
        for _ in range(chance.randint(1, 6)):
            data[chance.randrange(len(data))] = chance.randrange(256)
        path.write_bytes(data)
        try:
            submission.read(path, NAMES, ["제목"])
        except Unreadable as error:
            assert "시간이나 메모리" not in str(error)


STRANGE_CELLS = [
    None, 3, "text", [], {}, {"cell_type": 7, "source": 8}, {"source": {"a": 1}},
    {"cell_type": "code", "source": ["a", None, 3]}, {"cell_type": None, "source": None},
    {"cell_type": "code", "source": "\ud800"}, {"cell_type": "code", "source": "\x00def"},
    {"cell_type": "code" * 100, "source": DOUBLE}, {"cell_type": "code", "input": DOUBLE},
]  # fmt: skip


def test_cells_of_any_shape(tmp_path):
    path = tmp_path / "a.ipynb"
    for strange in STRANGE_CELLS:
        path.write_text(json.dumps({"cells": [strange, cell(DOUBLE)]}))
        assert submission.read(path, NAMES).defining("double")


def test_one_submission_that_breaks_the_grader_costs_only_itself(tmp_path, monkeypatch):
    from coursekit.grading.engine.grade import Grader
    from coursekit.grading.probes import questions

    (tmp_path / "right").mkdir()
    (tmp_path / "right" / "1.py").write_text(DOUBLE)
    exercise = questions.Exercise("93-odd", "보기", folder=tmp_path)

    @exercise.function("문제 1", "double", "두 배").probe(2, "2를 곱함")
    def doubled(draw):
        answer = yield questions.call(3)
        if answer != 6:
            raise {7: MemoryError, 8: RecursionError, 9: OverflowError, 10: ZeroDivisionError,
                   11: StopAsyncIteration, 12: UnicodeError, 13: AssertionError}[answer]  # fmt: skip

    folder = tmp_path / "제출"
    folder.mkdir()
    for number in range(6, 14):
        (folder / f"{number}.ipynb").write_bytes(packed(f"def double(x): return {number}"))
    (folder / "broken.ipynb").write_bytes(packed(DOUBLE))
    plain = Grader.grade

    def grade(self, path, name=""):
        if name == "broken.ipynb":
            raise RecursionError("maximum recursion depth exceeded")
        return plain(self, path, name)

    monkeypatch.setattr(Grader, "grade", grade)
    results = {r.submission: r for r in batch.run(exercise, batch.find(folder), workers=2)}
    assert len(results) == 9
    assert [results[f"{n}.ipynb"].points for n in range(6, 14)] == [2, 0, 0, 0, 0, 0, 0, 0]
    assert all(results[f"{n}.ipynb"].status == "graded" for n in range(6, 14))
    broken = results["broken.ipynb"]
    assert broken.status == "unreadable" and "RecursionError" in broken.reason
    assert broken.digest == ""  # so that the next run tries it anew


def test_reports_take_any_answer():
    for source in (
        "x = " + "+".join(["a"] * 20_000), "x" + ".a" * 20_000 + " = 1", "jax" + ".a" * 20_000 + " = 1",
        "(" * 3000, "def f(\x00", "jax.jit = 1",
    ):  # fmt: skip
        unusual.uses(source)
        similar.form(source)
        similar.groups({"a": {"문제 1": source}, "b": {"문제 1": source}})
    assert unusual.uses("jax.tree.map = 1") == {"jax.tree.map = …"}
    for text in (
        "[" * 60_000,
        "*" * 60_000,
        "`" * 60_000,
        "![](" * 15_000,
        "> " * 30_000,
        "- " * 30_000,
    ):
        assert len(pages.markdown(text)) > 0


def test_magics_are_read_in_time_that_grows_with_their_length():
    assert magics.prepare("f(:\n" + " " * 100_000).source.startswith("f(:")
    # nothing left of a pattern that backtracks
    for name in ("magics", "submission", "notebook", "scripts", "given"):
        text = (ROOT / "coursekit/grading/handed_in" / f"{name}.py").read_text(encoding="utf-8")
        assert r".*?)\s*#*\s*$" not in text
    assert notebook.MAX_SOURCE == 4 << 20
