"""What makes old results and the mutants' ledgers stale, and what does not."""

from __future__ import annotations

import gc
import json
import os
import shutil
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from coursekit.grading.audit import mutants
from coursekit.grading.engine import batch, grade, version
from coursekit.grading.handed_in import syntax
from coursekit.grading.probes import questions, source_digest
from coursekit.grading.records.result import Result
from coursekit.grading.report import similar, unusual

from .handed_in import ROOT

SET = ROOT / "grading" / "02-jit-and-xla"
NAMES = sorted(
    str(path.relative_to(version.FOLDER))
    for path in version.files(version.FOLDER)
    if path.name != "__init__.py"
)


@pytest.fixture
def engine(tmp_path, monkeypatch):
    """``engine(name, old, new)`` edits a file of the engine: of a copy, which then counts."""

    def edit(name: str, old: str, new: str) -> None:
        copy = tmp_path / "engine"
        shutil.copytree(version.FOLDER, copy, ignore=shutil.ignore_patterns("__pycache__"))
        change(copy / name, old, new)
        monkeypatch.setattr(version, "FOLDER", copy)

    return edit


@pytest.fixture
def folder(tmp_path):
    """A copy of a set whose ledger holds."""
    copy = tmp_path / SET.name
    shutil.copytree(SET, copy, ignore=shutil.ignore_patterns("__pycache__", "wrong"))
    assert holds(copy)
    return copy


def change(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


def holds(folder: Path) -> bool:
    return mutants.load_ledger(questions.load(folder)) is not None


@pytest.mark.parametrize("folder", sorted((ROOT / "grading").glob("*/")), ids=lambda p: p.name)
def test_the_ledger_of_every_set_holds(folder):
    assert holds(folder)


def test_a_looser_tolerance_makes_the_ledgers_stale(engine):
    engine("probes/verdict.py", "rtol: float = 1e-5", "rtol: float = 10.0")
    assert not holds(SET)


def test_a_changed_engine_grades_old_results_again(engine, tmp_path):
    exercise = questions.load(SET)
    item = batch.Item("a.py", tmp_path / "a.py")
    item.path.write_text("x = 1\n")

    def old(name: str) -> Result:
        return Result(name, exercise.name, "graded", 3, 4, digest=digest)

    digest = grade.digest(exercise, item.path)
    assert batch.still_right(exercise, item, None, old)
    engine("sandbox/session.py", "import math", "import math\n\nSECONDS = 5")
    assert batch.still_right(exercise, item, None, old) is None


@pytest.mark.parametrize("name", NAMES)
def test_every_file_of_the_engine_counts_but_not_its_comments(name, engine):
    before = version.of_grading()
    engine(name, "\nfrom __future__ import annotations\n",
           "\n# why\n\nfrom __future__ import annotations\nimport this_is_unused\n")  # fmt: skip
    assert version.of_grading() == before
    version._of.cache_clear()
    with (version.FOLDER / name).open("a", encoding="utf-8") as file:
        file.write("\n_more = 1\n")
    assert version.of_grading() != before


def test_no_module_that_grades_is_left_out():
    """All that grading loads, here and in the sandbox's process, is in the digest."""
    code = (
        "import sys\n"
        "from coursekit.grading.engine import batch, remote\n"
        "from coursekit.grading.child import confine, inside, zygote\n"
        "from coursekit.grading.handed_in import reader\n"  # runs in a process of its own
        "print(*(m.__file__ for n, m in sys.modules.items() if n.startswith('coursekit.grading.')"
        "        and not m.__file__.endswith('__init__.py')))"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    loaded = {Path(name) for name in done.stdout.split()}
    assert loaded - {Path(version.__file__)} == {version.FOLDER / name for name in NAMES}


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("probes.py", 'LOOSE = {"rtol": 1e-4', 'LOOSE = {"rtol": 1e-3'),
        ("probes.py", "size <= delta", "size < delta"),
        ("probes.py", "draw.integer(0, 8)", "draw.integer(0, 9)"),
        ("probes.py", "probe(1, ", "probe(2, "),
        ("probes.py", '"predict_traces"', '"predict"'),
        ("probes.py", '"문제 1"', '"문제 0"'),  # inputs are drawn by this name
        ("probes.py", "import numpy as np", "import jax.numpy as np"),
        ("probes.py", "    close,\n", "    describe as close,\n"),
        ("right/*.py", "return ", "return +"),
    ],
)
def test_a_moved_boundary_makes_the_ledger_stale(folder, name, old, new):
    change(sorted(folder.glob(name))[0], old, new)
    assert not holds(folder)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"값만 다르거나 ', '"더 나은 제목! '),
        ('"트레이싱 횟수 예측"', '"다른 제목"'),
        ('"02-jit-and-xla", "jit과 XLA"', '"02-jit-and-xla", "다른 제목"'),
        ("# 문제 1 ---", "# 다른 주석\n# 문제 1 ---"),
        ('"""first–last번째', '"""다르게 말하면 first–last번째'),
        ("import numpy as np\n", "import math\n\nimport numpy as np  # 배열\n"),
        ("    Exercise,\n    Raised,\n", "    Raised, Exercise,\n"),
        ("from coursekit.grading.probes", "from coursekit.grading.elsewhere.questions"),
    ],
)
def test_titles_comments_and_the_spelling_of_imports_do_not(folder, old, new):
    text = (folder / "probes.py").read_text(encoding="utf-8")
    assert old in text
    assert source_digest.of_probes(text.replace(old, new, 1)) == source_digest.of_probes(text)


def test_a_title_given_by_name_is_a_title_too():
    texts = ('e = Exercise("a", title="b")', 'e = Exercise("a", title="c")')
    assert source_digest.of_probes(texts[0]) == source_digest.of_probes(texts[1])


def test_workers_that_parse_at_the_same_time_do_not_disturb_each_other():
    """A parser of CPython 3.11 that another one interrupts ends in a SystemError."""
    text = (version.FOLDER / "probes" / "questions.py").read_text(encoding="utf-8") * 5
    failed: list[BaseException] = []

    def work(parse) -> None:
        try:
            for _ in range(6):
                parse(text)
        except BaseException as error:
            failed.append(error)

    def interrupt(*_) -> None:  # while the garbage is collected, other threads get their turn
        sum(range(100))

    gc.callbacks.append(interrupt)
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        parsers = (source_digest.of, syntax.parse, similar.form, unusual.uses)
        threads = [threading.Thread(target=work, args=(parse,)) for parse in parsers]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        sys.setswitchinterval(before)
        gc.callbacks.remove(interrupt)
    assert not failed


def test_helpers_count_and_their_comments_do_not(folder):
    first = questions.load(folder).version
    (folder / "helpers.py").write_text("# 설명\n")
    assert questions.load(folder).version == first
    (folder / "helpers.py").write_text("import jax\n\n\ndef f(x):\n    return jax.jit(x)\n")
    second = questions.load(folder).version
    (folder / "helpers.py").write_text(
        "import numpy as jax\n\n\ndef f(x):\n    return jax.jit(x)\n"
    )
    assert len({first, second, questions.load(folder).version}) == 3
    (folder / "helpers.py").write_text("def f(:\n")
    with pytest.raises(questions.ExerciseError, match="helpers.py"):
        questions.load(folder)


def test_a_question_that_is_no_longer_left_out_makes_the_ledger_stale(folder):
    with (folder / "equivalent.txt").open("a", encoding="utf-8") as file:
        file.write("fit: * | 바른 답이 여럿이다\n")
    assert not holds(folder)


def test_a_ledger_is_written_whole_or_not_at_all(folder, monkeypatch):
    def full(*_):
        raise OSError("no space left")

    before = (folder / "mutants.json").read_bytes()
    names = sorted(path.name for path in folder.iterdir())
    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(OSError, match="no space"):
        mutants.save_ledger(questions.load(folder), {"a: b -> c": 0})
    assert (folder / "mutants.json").read_bytes() == before
    assert sorted(path.name for path in folder.iterdir()) in (
        names,
        sorted([*names, "__pycache__"]),
    )
    monkeypatch.undo()
    mutants.save_ledger(questions.load(folder), {"a: b -> c": 0})
    assert json.loads((folder / "mutants.json").read_text())["mutants"] == {"a: b -> c": 0}
    assert holds(folder)
