"""Submissions for tests: attacks written as text → notebooks, and files in every odd state.

An attack is ``attacks/NAME.txt``: a header (points, status of each question, why), then cells
that begin with ``# %%``.  ``#! right 1 3`` puts in cells with the reference answers to questions
1 and 3, ``#! wrong 2`` an answer that earns nothing, ``#! blank 2`` the stub.  Attacks whose name
begins with ``forms-`` are graded with ``sets/98-forms``, and have only ``#! right``.
"""

from __future__ import annotations

import ast
import io
import json
import os
import re
import shutil
import unicodedata
import zipfile
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
SET = ROOT / "grading" / "07-from-pytorch"
FORMS = HERE / "sets" / "98-forms"
_FORMS_NAMES = (("window",), ("Scaler", "scaler_class"), ("total",), ("stored",))
# the attacks are written against these three questions; the set itself may ask more
FUNCTIONS = ("running_mean", "augment", "clip_gradient")
FULL = 20
_PARAMETERS = ("state, x", "key, images", "gradient, max_norm, step, warmup_steps")
_IMPORTS = "import jax\nimport jax.numpy as jnp\n\n\n"


def first_three(grading: Path) -> Path:
    """A grading folder whose set 07 asks only `FUNCTIONS`: ``grading / SET.name``."""
    folder = grading / SET.name
    shutil.copytree(SET, folder, ignore=shutil.ignore_patterns("__pycache__", "mutants.json"))
    with (folder / "probes.py").open("a", encoding="utf-8") as probes:
        probes.write(f"\nexercise.questions[{len(FUNCTIONS)}:] = []\nexercise.texts.clear()\n")
    return folder


@dataclass(frozen=True)
class Expected:
    points: int
    status: str = "graded"
    questions: str = "graded graded graded"


def right(number: int) -> str:
    source = (SET / "right" / "1-direct.py").read_text(encoding="utf-8")
    name = FUNCTIONS[number - 1]
    node = next(n for n in ast.parse(source).body if getattr(n, "name", None) == name)
    return _IMPORTS + ast.get_source_segment(source, node)


def wrong(number: int) -> str:
    parameters = _PARAMETERS[number - 1]
    return f"def {FUNCTIONS[number - 1]}({parameters}):\n    return {parameters.split(',')[0]}"


def blank(number: int) -> str:
    parameters = _PARAMETERS[number - 1]
    return (
        f"def {FUNCTIONS[number - 1]}({parameters}):\n"
        f'    """문제 {number}"""\n'
        '    raise NotImplementedError("아직 빈칸입니다")'
    )


def right_form(number: int) -> str:
    source = (FORMS / "right" / "1-direct.py").read_text(encoding="utf-8")
    nodes = [
        n for n in ast.parse(source).body if getattr(n, "name", "") in _FORMS_NAMES[number - 1]
    ]
    return "\n".join([_IMPORTS, "from jax import export", *map(ast.unparse, nodes)])


_PARTS = {"right": right, "wrong": wrong, "blank": blank}


def cells_of(text: str, *, forms: bool = False) -> list[str]:
    """Code cells of an attack."""
    parts = {"right": right_form} if forms else _PARTS
    cells: list[str] = []
    for part in re.split(r"^(# %%.*|#! .*)$\n?", text, flags=re.MULTILINE):
        if part.startswith("#! "):
            kind, *numbers = part[3:].split()
            cells += [parts[kind](int(number)) for number in numbers]
        elif not part.startswith("# %%") and part.strip():
            cells.append(part)
    return cells


def notebook(cells: list[str], /, **changes) -> dict:
    """A notebook as Jupyter would save it."""
    document = {
        "nbformat": 4,
        "nbformat_minor": 5,
        "metadata": {"kernelspec": {"display_name": "Python 3", "name": "python3"}},
        "cells": [
            {"cell_type": "markdown", "id": "intro", "metadata": {}, "source": "# 연습\n"},
            *(
                {
                    "cell_type": "code", "id": f"c{i}", "metadata": {"tags": ["solution"]},
                    "source": source, "outputs": [], "execution_count": None,
                }
                for i, source in enumerate(cells)
            ),
        ],
    }  # fmt: skip
    return document | changes


def attack(path: Path, listener: int) -> tuple[bytes, Expected]:
    """Notebook bytes of one attack file, and what it must get."""
    text = path.read_text(encoding="utf-8")
    head = dict(re.findall(r"^# (points|questions|status): (.*)$", text, re.MULTILINE))
    body = re.sub(r"\A(# .*\n)+", "", text)
    body = body.replace("ROOT", str(ROOT)).replace("LISTENER", str(listener))
    expected = Expected(int(head["points"]), "graded", head["questions"])
    cells = cells_of(body, forms=path.name.startswith("forms-"))
    return json.dumps(notebook(cells), ensure_ascii=True).encode(), expected


CHECK = '@check("문제 {0}")\ndef _():\n    assert {1}(1, 2), "틀림"'


def odd_files(folder: Path) -> dict[str, Expected]:
    """Write a right answer in every odd kind of file into ``folder``; name → what it must get."""
    # one question is enough to tell whether the file was read, and takes a quarter of the time
    cells = ["import numpy as np", right(1)]
    good = notebook(cells)
    full = Expected(6, "graded", "graded blank blank")
    unreadable = Expected(0, "unreadable", "")
    expected: dict[str, Expected] = {}

    def put(name: str, content: bytes | str | dict, want: Expected) -> Path:
        if isinstance(content, dict):
            content = json.dumps(content, ensure_ascii=False)
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        expected[unicodedata.normalize("NFC", name)] = want
        return path

    def code(**fields) -> dict:
        return {"cell_type": "code", "metadata": {}, "outputs": [], **fields}

    checks = [CHECK.format(i + 1, name) for i, name in enumerate(FUNCTIONS)]
    put("10-checks-deleted.ipynb", good, full)
    everything = [right(1), right(2), right(3), *checks]
    put("10-checks-there.ipynb", notebook(everything), Expected(FULL))
    put("11-wrong-checks-deleted.ipynb", notebook([wrong(1), wrong(2), wrong(3)]), Expected(0))
    colab = [
        code(
            source=text.splitlines(keepends=True),
            metadata={"id": "aB3_x", "outputId": "9f", "colab": {}},
        )
        for text in cells
    ]
    put("36-colab.ipynb", notebook([], nbformat_minor=0, cells=colab), full)
    bare = [{"cell_type": "code", "source": text} for text in cells]
    put("37-no-metadata.ipynb", {"nbformat": 4, "cells": bare}, full)
    twins = [code(source=text, id="same", metadata={"id": "same"}) for text in cells]
    put("38-duplicate-ids.ipynb", notebook([], cells=twins), full)
    put(
        "40-nbformat-4.2.ipynb",
        notebook([], nbformat_minor=2, cells=[code(source=t) for t in cells]),
        full,
    )
    put("41-truncated.ipynb", json.dumps(good)[:-200], unreadable)
    put("42-empty.ipynb", b"", unreadable)
    put("42-blanks.ipynb", b" \n\x00\n", unreadable)
    put("43-jax07의 사본 (1).ipynb", good, full)
    put(unicodedata.normalize("NFC", "44-김민수/과제.ipynb"), good, full)
    put(unicodedata.normalize("NFD", "45-박서연/과제.ipynb"), good, full)
    put("46-이 름 (2).ipynb", good, full)
    bomb = io.BytesIO()
    with (
        zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as archive,
        archive.open("a.ipynb", "w") as member,
    ):
        for _ in range(300):
            member.write(bytes(1 << 20))
    put("78-zip-bomb.zip", bomb.getvalue(), unreadable)
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("../../과제.ipynb", json.dumps(good))
        archive.writestr("__MACOSX/._과제.ipynb", b"junk")
    put("79-zip.zip", packed.getvalue(), full)
    put("79-broken-zip.zip", packed.getvalue()[:300], unreadable)
    os.symlink("/etc/passwd", folder / "80-link.ipynb")
    os.symlink(folder / "10-checks-there.ipynb", folder / "80-link-to-other.ipynb")
    os.symlink(folder / "nowhere", folder / "80-dangling.ipynb")
    expected |= {f"80-{name}.ipynb": unreadable for name in ("link", "link-to-other", "dangling")}
    image = {
        "output_type": "display_data",
        "data": {"image/png": "A" * (100 << 20)},
        "metadata": {},
    }
    put("81-hundred-megabytes.ipynb",
        notebook([], cells=[code(source=t) | {"outputs": [image] * (i == 0)} for i, t in enumerate(cells)]),
        full)  # fmt: skip
    put("82-binary.ipynb", bytes(range(256)) * 400, unreadable)
    put("82-picture.ipynb", b"\x89PNG\r\n\x1a\n" + os.urandom(5000), unreadable)
    os.mkfifo(folder / "83-pipe.ipynb")
    expected["83-pipe.ipynb"] = unreadable
    put("84-nested.ipynb", "[" * 200_000, unreadable)
    put("84-nested-cells.ipynb", '{"cells":' + "[" * 200_000 + "]" * 200_000 + "}", unreadable)
    put("84-list.ipynb", "[1, 2, 3]", unreadable)
    put("84-no-cells.ipynb", '{"nbformat": 4}', unreadable)
    put("84-odd-cells.ipynb",
        {"cells": [None, 3, {"cell_type": 5, "source": 7}, {}, *bare, {"source": [1, "x = 1"]}]},
        full)  # fmt: skip
    old = [{"cell_type": "code", "input": text, "language": "python"} for text in cells]
    put("85-nbformat-3.ipynb", {"nbformat": 3, "worksheets": [{"cells": old}, 5]}, full)
    put("86-bom.ipynb", b"\xef\xbb\xbf" + json.dumps(good).encode(), full)
    put("86-utf16.ipynb", json.dumps(good, ensure_ascii=False).encode("utf-16"), full)
    put("86-cp949.ipynb", json.dumps(good, ensure_ascii=False).encode("cp949"), full)
    put("87-script.py", "# %% [markdown]\n# 글\n# %%\n" + "\n# In[3]:\n".join(cells), full)
    put("90-other-exercise.ipynb", notebook(["def something_else():\n    return 1"]),
        Expected(0, "unmatched", ""))  # fmt: skip
    put("91-only-text.ipynb", notebook([]), Expected(0, "unmatched", ""))
    (folder / "92-empty-folder").mkdir()
    os.symlink(folder, folder / "92-empty-folder" / "loop")
    expected["92-empty-folder"] = unreadable
    put("93-[bold]=cmd().ipynb", good, full)
    name = os.fsencode(folder) + b"/95-\xff\xfe.ipynb"
    with open(name, "w") as file:
        json.dump(good, file)
    expected["95-��.ipynb"] = full
    return expected
